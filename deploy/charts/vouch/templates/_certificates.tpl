{{/* What the operator certificates says of itself. Made by `npm run charts`; never edited. */}}

{{- define "vouch.certificates.lease" -}}
cert-operator.acm.ops.example.dev
{{- end -}}

{{- define "vouch.certificates.variables" -}}
{{- $v := dict -}}
{{- $_ := set $v "namespaces_some" (ne (include "vouch.flag" (list .root "certificates" "namespaces" "")) "") -}}
{{- $_ := set $v "namespaces_many" (and (ne (include "vouch.flag" (list .root "certificates" "namespaces" "")) "") (gt (len (splitList "," (nospace (include "vouch.flag" (list .root "certificates" "namespaces" ""))))) 1)) -}}
{{- $_ := set $v "webhook_enabled_false" (eq (include "vouch.flag" (list .root "certificates" "webhook-enabled" "true")) "false") -}}
{{- $_ := set $v "webhook_fail_closed_false" (eq (include "vouch.flag" (list .root "certificates" "webhook-fail-closed" "true")) "false") -}}
{{- $v | toJson -}}
{{- end -}}

{{- define "vouch.certificates.mounts" -}}
{{- $root := .root -}}
[]
{{- end -}}

{{- define "vouch.certificates.admits" -}}
{{- $v := include "vouch.certificates.variables" . | fromJson -}}
{{- if (and (not $v.webhook_enabled_false) (not $v.webhook_fail_closed_false)) }}yes{{ end -}}
{{- if (and (not $v.webhook_enabled_false) $v.webhook_fail_closed_false) }}yes{{ end -}}
{{- end -}}

{{- define "vouch.certificates.suffixes" -}}
{{- $v := include "vouch.certificates.variables" . | fromJson -}}
{{- $names := list -}}
{{- if (and (not $v.webhook_enabled_false) (not $v.webhook_fail_closed_false)) }}{{ $names = append $names "certs" }}{{ end -}}
{{- if (and (not $v.webhook_enabled_false) $v.webhook_fail_closed_false) }}{{ $names = append $names "certs" }}{{ end -}}
{{- uniq $names | toJson -}}
{{- end -}}

{{- define "vouch.certificates.crds" -}}
{{- $v := include "vouch.certificates.variables" . | fromJson -}}
{{- $files := list -}}
{{- $files = append $files "certs.acm.ops.example.dev.yaml" -}}
{{- $files | toJson -}}
{{- end -}}

{{- define "vouch.certificates.rules" -}}
{{- $roles := .roles -}}
{{- $root := .root -}}
{{- $v := include "vouch.certificates.variables" . | fromJson -}}
{{- if (not $v.namespaces_some) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "acm.ops.example.dev") "resources" (list "certs") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end -}}
{{- if (not $v.namespaces_some) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "acm.ops.example.dev") "resources" (list "certs/status") "verbs" (list "patch"))) }}{{ end -}}
{{- if (not $v.namespaces_some) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "") "resources" (list "events") "verbs" (list "create" "patch"))) }}{{ end -}}
{{- if $v.namespaces_some }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "certificates" "namespaces" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "acm.ops.example.dev") "resources" (list "certs") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end }}{{ end -}}
{{- if $v.namespaces_some }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "certificates" "namespaces" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "acm.ops.example.dev") "resources" (list "certs/status") "verbs" (list "patch"))) }}{{ end }}{{ end -}}
{{- if $v.namespaces_some }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "certificates" "namespaces" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "") "resources" (list "events") "verbs" (list "create" "patch"))) }}{{ end }}{{ end -}}
{{- end -}}

{{- define "vouch.certificates.objects" -}}
{{- $root := .root -}}
{{- $v := include "vouch.certificates.variables" . | fromJson -}}
{{- end -}}

{{- define "vouch.certificates.webhooks" -}}
{{- $root := .root -}}
{{- $v := include "vouch.certificates.variables" . | fromJson -}}
{{- if (and (not $v.webhook_enabled_false) (not $v.webhook_fail_closed_false)) }}
{{- $rules := list -}}
{{- if (not $v.webhook_enabled_false) }}{{ $rules = append $rules (fromJson "{\"apiGroups\":[\"acm.ops.example.dev\"],\"apiVersions\":[\"v1\"],\"operations\":[\"CREATE\",\"UPDATE\"],\"resources\":[\"certs\"]}") }}{{ end -}}
{{- $rules0 := $rules -}}
{{ "\n---" }}
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: {{ include "vouch.fullname" $root }}-certs
  labels:
    {{- include "vouch.labels" $root | nindent 4 }}
{{- with include "vouch.webhookAnnotations" $root }}{{ . | nindent 2 }}{{ end }}
webhooks:
  - name: certs.acm.ops.example.dev
    rules: {{ $rules0 | toJson }}
    failurePolicy: Fail
    clientConfig:
      service:
        namespace: {{ include "vouch.namespace" $root }}
        name: {{ include "vouch.fullname" $root }}-webhook
        port: 443
        path: /validate-acm-ops-example-dev-v1-cert
{{- with include "vouch.caBundle" $root }}{{ . | nindent 6 }}{{ end }}
    admissionReviewVersions:
      - v1
    matchPolicy: Equivalent
    sideEffects: None
    timeoutSeconds: 10
{{- end }}
{{- if (and (not $v.webhook_enabled_false) $v.webhook_fail_closed_false) }}
{{- $rules := list -}}
{{- if (not $v.webhook_enabled_false) }}{{ $rules = append $rules (fromJson "{\"apiGroups\":[\"acm.ops.example.dev\"],\"apiVersions\":[\"v1\"],\"operations\":[\"CREATE\",\"UPDATE\"],\"resources\":[\"certs\"]}") }}{{ end -}}
{{- $rules0 := $rules -}}
{{ "\n---" }}
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: {{ include "vouch.fullname" $root }}-certs
  labels:
    {{- include "vouch.labels" $root | nindent 4 }}
{{- with include "vouch.webhookAnnotations" $root }}{{ . | nindent 2 }}{{ end }}
webhooks:
  - name: certs.acm.ops.example.dev
    rules: {{ $rules0 | toJson }}
    failurePolicy: Ignore
    clientConfig:
      service:
        namespace: {{ include "vouch.namespace" $root }}
        name: {{ include "vouch.fullname" $root }}-webhook
        port: 443
        path: /validate-acm-ops-example-dev-v1-cert
{{- with include "vouch.caBundle" $root }}{{ . | nindent 6 }}{{ end }}
    admissionReviewVersions:
      - v1
    matchPolicy: Equivalent
    sideEffects: None
    timeoutSeconds: 10
{{- end }}
{{- end -}}

{{- define "vouch.certificates.checkFlags" -}}
{{- if or (not (regexMatch "^(| *([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?) *(, *([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?) *)*)$" (include "vouch.flag" (list .root "certificates" "namespaces" "")))) (ne (len (splitList "," (nospace (include "vouch.flag" (list .root "certificates" "namespaces" ""))))) (len (uniq (splitList "," (nospace (include "vouch.flag" (list .root "certificates" "namespaces" ""))))))) }}{{ fail (printf "certificates: in a chart --namespaces takes names of namespaces, each once, separated by commas, not %q" (include "vouch.flag" (list .root "certificates" "namespaces" ""))) }}{{ end -}}
{{- if or (not (regexMatch "^(true|false)$" (include "vouch.flag" (list .root "certificates" "webhook-enabled" "true")))) }}{{ fail (printf "certificates: in a chart --webhook-enabled takes true or false, not %q" (include "vouch.flag" (list .root "certificates" "webhook-enabled" "true"))) }}{{ end -}}
{{- if or (not (regexMatch "^(true|false)$" (include "vouch.flag" (list .root "certificates" "webhook-fail-closed" "true")))) }}{{ fail (printf "certificates: in a chart --webhook-fail-closed takes true or false, not %q" (include "vouch.flag" (list .root "certificates" "webhook-fail-closed" "true"))) }}{{ end -}}
{{- end -}}
