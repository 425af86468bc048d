/** The page's whole style; light and dark, readable on a telephone. */
export const pageStyle = `
:root { color-scheme: light dark; --text: #1b1b1b; --back: #fff; --soft: #f3f3f3; --line: #767676; --proven: #0b6b2b; --claimed: #6a5000; --uncovered: #4a4a4a; --contradicted: #a11212 }
@media (prefers-color-scheme: dark) { :root { --text: #ececec; --back: #17181a; --soft: #24262a; --line: #9a9a9a; --proven: #6fd58f; --claimed: #e6c65c; --uncovered: #c4c4c4; --contradicted: #ff9b9b } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 52rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--back) }
h1 { font-size: 1.6rem; line-height: 1.2; margin: .5rem 0 }
h2 { font-size: 1.1rem; overflow-wrap: anywhere; margin: 0 0 .3rem }
nav { display: flex; flex-wrap: wrap; gap: .5rem }
button, input, textarea { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--line); border-radius: .3rem; padding: .4rem .7rem; max-width: 100% }
button[aria-pressed=true] { background: var(--text); color: var(--back) }
label { display: block; margin: .8rem 0 .2rem }
textarea { width: 100%; min-height: 4.5rem }
#drop { border: 2px dashed var(--line); border-radius: .5rem; padding: 1rem; margin: 1rem 0; background: var(--soft) }
#drop.over { outline: 3px solid var(--proven) }
article { border: 1px solid var(--line); border-radius: .4rem; padding: .8rem 1rem; margin: 1rem 0 }
ul { list-style: none; margin: 0; padding: 0 }
li { padding: .35rem 0; border-top: 1px solid var(--soft); overflow-wrap: anywhere }
li strong { margin-right: .4rem }
.PROVEN strong { color: var(--proven) } .CLAIMED strong { color: var(--claimed) } .NOT_COVERED strong { color: var(--uncovered) } .CONTRADICTED strong { color: var(--contradicted) }
`
