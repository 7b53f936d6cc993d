{{- define "coverage-service.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- define "coverage-service.selector" -}}
app.kubernetes.io/name: coverage-service
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}
{{- define "coverage-service.labels" -}}
{{ include "coverage-service.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}
