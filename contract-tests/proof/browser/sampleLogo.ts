/** A valid logo. */
export const sampleLogo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><rect width="40" height="20" rx="4" fill="#123"/><circle cx="10" cy="10" r="6" fill="#fff"/></svg>`
