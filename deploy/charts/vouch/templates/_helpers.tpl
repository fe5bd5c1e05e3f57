{{/* Names and labels, as src/manifests/install.ts makes them. */}}

{{- define "vouch.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "vouch.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "vouch.namespace" -}}
{{- default .Release.Namespace .Values.namespaceOverride -}}
{{- end -}}

{{- define "vouch.selector" -}}
app.kubernetes.io/name: {{ include "vouch.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "vouch.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "vouch.selector" . }}
{{- with .Chart.AppVersion }}
app.kubernetes.io/version: {{ . | quote }}
{{- end }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- range $key, $value := .Values.commonLabels }}
{{- if not (kindIs "invalid" $value) }}
{{ $key | quote }}: {{ $value | toJson }}
{{- end }}
{{- end }}
{{- end -}}

{{/* (dict "root" . "name" NAME "namespace" true "labels" MAP "annotations" MAP): the metadata of an object. */}}
{{- define "vouch.metadata" -}}
name: {{ .name }}
{{- if .namespace }}
namespace: {{ kindIs "string" .namespace | ternary .namespace (include "vouch.namespace" .root) }}
{{- end }}
labels:
  {{- toYaml (merge (deepCopy (default dict .labels)) (include "vouch.labels" .root | fromYaml)) | nindent 2 }}
{{- with merge (deepCopy (default dict .annotations)) .root.Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* The ServiceAccount of the process. */}}
{{- define "vouch.account" -}}
{{- if .Values.serviceAccount.name -}}
{{- .Values.serviceAccount.name -}}
{{- else if .Values.serviceAccount.create -}}
{{- include "vouch.fullname" . -}}
{{- else -}}
default
{{- end -}}
{{- end -}}

{{/* (list . OPERATOR): the ServiceAccount as which an operator works. */}}
{{- define "vouch.accountOf" -}}
{{- $root := index . 0 -}}
{{- if eq (len (include "vouch.operators" $root | fromJsonArray)) 1 -}}
{{- include "vouch.account" $root -}}
{{- else -}}
{{- printf "%s-%s" (include "vouch.fullname" $root) (index . 1) | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* (list . OPERATOR FLAG OTHERWISE): what a flag of an operator says. */}}
{{- define "vouch.flag" -}}
{{- $flags := include "vouch.flags" (list (index . 0) (index . 1)) | fromJson -}}
{{- if hasKey $flags (index . 2) -}}
{{- include "vouch.word" (get $flags (index . 2)) -}}
{{- else -}}
{{- index . 3 -}}
{{- end -}}
{{- end -}}

{{/* A value as a flag takes it: numbers of JSON are no fractions. */}}
{{- define "vouch.word" -}}
{{- if and (kindIs "float64" .) (eq (float64 (int64 .)) .) -}}{{- int64 . -}}{{- else -}}{{- . -}}{{- end -}}
{{- end -}}

{{/* (dict "root" . "operator" NAME "what" WHAT …): a part that an operator brings, by the template that was derived for it. */}}
{{- define "vouch.part" -}}
{{- include (printf "vouch.%s.%s" .operator .what) . -}}
{{- end -}}

{{/* Whether the API server asks this process about requests: any text is yes. */}}
{{- define "vouch.admits" -}}
{{- $root := . -}}
{{- range $operator := include "vouch.operators" . | fromJsonArray -}}
{{- include "vouch.part" (dict "root" $root "operator" $operator "what" "admits") | trim -}}
{{- end -}}
{{- end -}}

{{- define "vouch.image" -}}
{{- $registry := default .Values.image.registry .Values.global.imageRegistry -}}
{{- $name := empty $registry | ternary .Values.image.repository (printf "%s/%s" $registry .Values.image.repository) -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" $name .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" $name (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}
{{- end -}}

{{/* The Secret with the serving pair of the admission webhooks. */}}
{{- define "vouch.servingSecret" -}}
{{- if eq .Values.webhookCertificate.source "secret" -}}
{{- if or (not .Values.webhookCertificate.secretName) (not .Values.webhookCertificate.caBundle) -}}
{{- fail "webhookCertificate.source=secret needs webhookCertificate.secretName and webhookCertificate.caBundle" -}}
{{- end -}}
{{- .Values.webhookCertificate.secretName -}}
{{- else -}}
{{- printf "%s-webhook-tls" (include "vouch.fullname" .) -}}
{{- end -}}
{{- end -}}

{{/* Whether the process keeps an authority of its own for its webhooks: any text is yes. */}}
{{- define "vouch.keepsAuthority" -}}
{{- if and (include "vouch.admits" .) (eq .Values.webhookCertificate.source "own") -}}yes{{- end -}}
{{- end -}}

{{/* The configurations of its webhooks. */}}
{{- define "vouch.configurations" -}}
{{- $root := . -}}
{{- $names := list -}}
{{- range $operator := include "vouch.operators" . | fromJsonArray -}}
{{- range $suffix := include "vouch.part" (dict "root" $root "operator" $operator "what" "suffixes") | fromJsonArray -}}
{{- $names = append $names (printf "%s-%s" (include "vouch.fullname" $root) $suffix) -}}
{{- end -}}
{{- end -}}
{{- uniq $names | sortAlpha | toJson -}}
{{- end -}}
