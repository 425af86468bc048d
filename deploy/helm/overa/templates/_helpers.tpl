{{- define "overa.labels" -}}
app.kubernetes.io/name: overa
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end }}

{{- define "overa.selector" -}}
app.kubernetes.io/name: overa
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "overa.image" -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- end }}

{{- define "overa.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "overa.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{- /* The variables of every program: settings, secrets from outside, and the process's own name, which stays when its pod starts again. */ -}}
{{- define "overa.environment" -}}
envFrom:
  - configMapRef: {name: {{ .root.Release.Name }}-settings}
env:
  - name: {{ .idVariable }}
    valueFrom: {fieldRef: {fieldPath: metadata.name}}
{{- range list "DATABASE_URL" "OVERA_SECRET_KEYS" "OVERA_CREDENTIAL_KEY" }}
  - name: {{ . }}
    valueFrom: {secretKeyRef: {name: {{ $.root.Values.secret }}, key: {{ . }}}}
{{- end }}
{{- end }}
