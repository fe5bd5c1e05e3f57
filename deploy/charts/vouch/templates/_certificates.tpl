{{/* What the operator certificates says of itself. Made by `npm run charts`; never edited. */}}

{{- define "vouch.certificates.lease" -}}
cert-operator.acm.ops.example.dev
{{- end -}}

{{- define "vouch.certificates.variables" -}}
{{- $v := dict -}}
{{- $_ := set $v "namespaces_some" (ne (include "vouch.flag" (list .root "certificates" "namespaces" "")) "") -}}
{{- $_ := set $v "namespaces_many" (and (ne (include "vouch.flag" (list .root "certificates" "namespaces" "")) "") (gt (len (splitList "," (nospace (include "vouch.flag" (list .root "certificates" "namespaces" ""))))) 1)) -}}
{{- $_ := set $v "enable_publishing_true" (eq (include "vouch.flag" (list .root "certificates" "enable-publishing" "false")) "true") -}}
{{- $v | toJson -}}
{{- end -}}

{{- define "vouch.certificates.mounts" -}}
{{- $root := .root -}}
[]
{{- end -}}

{{- define "vouch.certificates.admits" -}}
{{- $v := include "vouch.certificates.variables" . | fromJson -}}
{{- end -}}

{{- define "vouch.certificates.suffixes" -}}
{{- $v := include "vouch.certificates.variables" . | fromJson -}}
{{- $names := list -}}
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
{{- if (and (not $v.namespaces_some) $v.enable_publishing_true) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "networking.k8s.io") "resources" (list "ingresses") "verbs" (list "get" "list" "patch"))) }}{{ end -}}
{{- if (and (not $v.namespaces_some) $v.enable_publishing_true) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "") "resources" (list "services") "verbs" (list "get" "list" "patch"))) }}{{ end -}}
{{- if (and (not $v.namespaces_some) $v.enable_publishing_true) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "gateway.networking.k8s.io") "resources" (list "gateways") "verbs" (list "get" "list" "patch"))) }}{{ end -}}
{{- if (and (not $v.namespaces_some) $v.enable_publishing_true) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "gateway.k8s.aws") "resources" (list "loadbalancerconfigurations") "verbs" (list "get" "list" "patch"))) }}{{ end -}}
{{- if (and (not $v.namespaces_some) $v.enable_publishing_true) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "") "resources" (list "configmaps") "verbs" (list "get" "create" "patch"))) }}{{ end -}}
{{- if $v.namespaces_some }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "certificates" "namespaces" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "acm.ops.example.dev") "resources" (list "certs") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end }}{{ end -}}
{{- if $v.namespaces_some }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "certificates" "namespaces" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "acm.ops.example.dev") "resources" (list "certs/status") "verbs" (list "patch"))) }}{{ end }}{{ end -}}
{{- if $v.namespaces_some }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "certificates" "namespaces" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "") "resources" (list "events") "verbs" (list "create" "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.namespaces_some $v.enable_publishing_true) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "certificates" "namespaces" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "networking.k8s.io") "resources" (list "ingresses") "verbs" (list "get" "list" "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.namespaces_some $v.enable_publishing_true) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "certificates" "namespaces" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "") "resources" (list "services") "verbs" (list "get" "list" "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.namespaces_some $v.enable_publishing_true) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "certificates" "namespaces" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "gateway.networking.k8s.io") "resources" (list "gateways") "verbs" (list "get" "list" "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.namespaces_some $v.enable_publishing_true) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "certificates" "namespaces" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "gateway.k8s.aws") "resources" (list "loadbalancerconfigurations") "verbs" (list "get" "list" "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.namespaces_some $v.enable_publishing_true) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "certificates" "namespaces" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "") "resources" (list "configmaps") "verbs" (list "get" "create" "patch"))) }}{{ end }}{{ end -}}
{{- end -}}

{{- define "vouch.certificates.objects" -}}
{{- $root := .root -}}
{{- $v := include "vouch.certificates.variables" . | fromJson -}}
{{- end -}}

{{- define "vouch.certificates.webhooks" -}}
{{- $root := .root -}}
{{- $v := include "vouch.certificates.variables" . | fromJson -}}
{{- end -}}

{{- define "vouch.certificates.checkFlags" -}}
{{- if or (not (regexMatch "^(| *([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?) *(, *([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?) *)*)$" (include "vouch.flag" (list .root "certificates" "namespaces" "")))) (ne (len (splitList "," (nospace (include "vouch.flag" (list .root "certificates" "namespaces" ""))))) (len (uniq (splitList "," (nospace (include "vouch.flag" (list .root "certificates" "namespaces" ""))))))) }}{{ fail (printf "certificates: in a chart --namespaces takes names of namespaces, each once, separated by commas, not %q" (include "vouch.flag" (list .root "certificates" "namespaces" ""))) }}{{ end -}}
{{- if or (not (regexMatch "^(false|true)$" (include "vouch.flag" (list .root "certificates" "enable-publishing" "false")))) }}{{ fail (printf "certificates: in a chart --enable-publishing takes false or true, not %q" (include "vouch.flag" (list .root "certificates" "enable-publishing" "false"))) }}{{ end -}}
{{- end -}}
