{{- define "webhooks.labels" -}}
{{/* Not .Chart.Name, which is another one within another chart. */}}
helm.sh/chart: pod-identity-webhooks-{{ .Chart.Version }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- range $key, $value := .Values.commonLabels }}
{{- if not (kindIs "invalid" $value) }}
{{ $key }}: {{ $value | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "webhooks.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{- printf "%s@%s" .repository .digest -}}
{{- else -}}
{{- printf "%s:%s" .repository (default $.Chart.AppVersion .tag) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Refuses a pair that nobody could find, an authority that nobody would trust, and flags that the manifests decide. */}}
{{- define "webhooks.check" -}}
{{- if and (hasKey .Values "tenantId") (not .Values.tenantId) -}}{{- fail "tenantId is needed: the tenant of ServiceAccounts that name none" -}}{{- end -}}
{{- with .Values.certificate -}}
{{- if and (has .source (list "secret" "cluster")) (not .caBundle) -}}{{- fail (printf "certificate.source=%s needs certificate.caBundle" .source) -}}{{- end -}}
{{- if and (eq .source "secret") (not .secretName) -}}{{- fail "certificate.source=secret needs certificate.secretName" -}}{{- end -}}
{{- end -}}
{{- $reasons := include "webhooks.lastArgumentReasons" nil | fromJson -}}
{{- include "vouch.checkLastArguments" (list "extraArgs" .Values.extraArgs $reasons (include "webhooks.flagTypes" nil | fromJson)) -}}
{{- end -}}
