{{/* What the operator hosted says of itself. Made by `npm run charts`; never edited. */}}

{{- define "vouch.hosted.lease" -}}
vouch-hosted
{{- end -}}

{{- define "vouch.hosted.variables" -}}
{{- $v := dict -}}
{{- $_ := set $v "hosted_namespaces_some" (ne (include "vouch.flag" (list .root "hosted" "hosted-namespaces" "")) "") -}}
{{- $_ := set $v "hosted_namespaces_many" (and (ne (include "vouch.flag" (list .root "hosted" "hosted-namespaces" "")) "") (gt (len (splitList "," (nospace (include "vouch.flag" (list .root "hosted" "hosted-namespaces" ""))))) 1)) -}}
{{- if ne (include "vouch.flag" (list .root "hosted" "hosted-image-map" "release-images")) "release-images" }}{{ fail "hosted: rights and kinds follow --hosted-image-map, which a chart cannot work out; print the manifests by vouch render" }}{{ end -}}
{{- if ne (include "vouch.flag" (list .root "hosted" "hosted-pull-secret" "pull-secret")) "pull-secret" }}{{ fail "hosted: rights and kinds follow --hosted-pull-secret, which a chart cannot work out; print the manifests by vouch render" }}{{ end -}}
{{- if ne (include "vouch.flag" (list .root "hosted" "hosted-guest-kubeconfig" "service-network-admin-kubeconfig")) "service-network-admin-kubeconfig" }}{{ fail "hosted: rights and kinds follow --hosted-guest-kubeconfig, which a chart cannot work out; print the manifests by vouch render" }}{{ end -}}
{{- $v | toJson -}}
{{- end -}}

{{- define "vouch.hosted.mounts" -}}
{{- $root := .root -}}
[]
{{- end -}}

{{- define "vouch.hosted.admits" -}}
{{- $v := include "vouch.hosted.variables" . | fromJson -}}
{{- end -}}

{{- define "vouch.hosted.suffixes" -}}
{{- $v := include "vouch.hosted.variables" . | fromJson -}}
{{- $names := list -}}
{{- uniq $names | toJson -}}
{{- end -}}

{{- define "vouch.hosted.crds" -}}
{{- $v := include "vouch.hosted.variables" . | fromJson -}}
{{- $files := list -}}
{{- $files | toJson -}}
{{- end -}}

{{- define "vouch.hosted.rules" -}}
{{- $roles := .roles -}}
{{- $root := .root -}}
{{- $v := include "vouch.hosted.variables" . | fromJson -}}
{{- if (not $v.hosted_namespaces_some) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "hypershift.openshift.io") "resources" (list "hostedcontrolplanes") "verbs" (list "get" "list" "watch"))) }}{{ end -}}
{{- if (not $v.hosted_namespaces_some) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "hypershift.openshift.io") "resources" (list "hostedcontrolplanes/status") "verbs" (list "patch"))) }}{{ end -}}
{{- if (not $v.hosted_namespaces_some) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "hypershift.openshift.io") "resources" (list "hostedcontrolplanes/finalizers") "verbs" (list "update"))) }}{{ end -}}
{{- if (not $v.hosted_namespaces_some) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "") "resources" (list "secrets") "verbs" (list "get" "list" "watch") "resourceNames" (list "root-ca" "cluster-signer-ca" "service-network-admin-kubeconfig" "pull-secret"))) }}{{ end -}}
{{- if (not $v.hosted_namespaces_some) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "") "resources" (list "secrets") "verbs" (list "get" "list" "watch" "update" "delete") "resourceNames" (list "aws-pod-identity-webhook-serving-cert" "aws-pod-identity-webhook-kubeconfig" "azure-workload-identity-webhook-serving-cert" "azure-workload-identity-webhook-kubeconfig"))) }}{{ end -}}
{{- if (not $v.hosted_namespaces_some) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "") "resources" (list "secrets") "verbs" (list "create"))) }}{{ end -}}
{{- if (not $v.hosted_namespaces_some) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "apps") "resources" (list "deployments") "verbs" (list "get" "list" "watch" "update") "resourceNames" (list "kube-apiserver"))) }}{{ end -}}
{{- if (not $v.hosted_namespaces_some) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "") "resources" (list "configmaps") "verbs" (list "get" "list" "watch") "resourceNames" (list "release-images"))) }}{{ end -}}
{{- if $v.hosted_namespaces_some }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "hosted" "hosted-namespaces" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "hypershift.openshift.io") "resources" (list "hostedcontrolplanes") "verbs" (list "get" "list" "watch"))) }}{{ end }}{{ end -}}
{{- if $v.hosted_namespaces_some }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "hosted" "hosted-namespaces" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "hypershift.openshift.io") "resources" (list "hostedcontrolplanes/status") "verbs" (list "patch"))) }}{{ end }}{{ end -}}
{{- if $v.hosted_namespaces_some }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "hosted" "hosted-namespaces" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "hypershift.openshift.io") "resources" (list "hostedcontrolplanes/finalizers") "verbs" (list "update"))) }}{{ end }}{{ end -}}
{{- if $v.hosted_namespaces_some }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "hosted" "hosted-namespaces" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "") "resources" (list "secrets") "verbs" (list "get" "list" "watch") "resourceNames" (list "root-ca" "cluster-signer-ca" "service-network-admin-kubeconfig" "pull-secret"))) }}{{ end }}{{ end -}}
{{- if $v.hosted_namespaces_some }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "hosted" "hosted-namespaces" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "") "resources" (list "secrets") "verbs" (list "get" "list" "watch" "update" "delete") "resourceNames" (list "aws-pod-identity-webhook-serving-cert" "aws-pod-identity-webhook-kubeconfig" "azure-workload-identity-webhook-serving-cert" "azure-workload-identity-webhook-kubeconfig"))) }}{{ end }}{{ end -}}
{{- if $v.hosted_namespaces_some }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "hosted" "hosted-namespaces" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "") "resources" (list "secrets") "verbs" (list "create"))) }}{{ end }}{{ end -}}
{{- if $v.hosted_namespaces_some }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "hosted" "hosted-namespaces" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "apps") "resources" (list "deployments") "verbs" (list "get" "list" "watch" "update") "resourceNames" (list "kube-apiserver"))) }}{{ end }}{{ end -}}
{{- if $v.hosted_namespaces_some }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "hosted" "hosted-namespaces" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "") "resources" (list "configmaps") "verbs" (list "get" "list" "watch") "resourceNames" (list "release-images"))) }}{{ end }}{{ end -}}
{{- end -}}

{{- define "vouch.hosted.objects" -}}
{{- $root := .root -}}
{{- $v := include "vouch.hosted.variables" . | fromJson -}}
{{- end -}}

{{- define "vouch.hosted.webhooks" -}}
{{- $root := .root -}}
{{- $v := include "vouch.hosted.variables" . | fromJson -}}
{{- end -}}

{{- define "vouch.hosted.checkFlags" -}}
{{- if or (not (regexMatch "^(| *([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?) *(, *([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?) *)*)$" (include "vouch.flag" (list .root "hosted" "hosted-namespaces" "")))) (ne (len (splitList "," (nospace (include "vouch.flag" (list .root "hosted" "hosted-namespaces" ""))))) (len (uniq (splitList "," (nospace (include "vouch.flag" (list .root "hosted" "hosted-namespaces" ""))))))) }}{{ fail (printf "hosted: in a chart --hosted-namespaces takes names of namespaces, each once, separated by commas, not %q" (include "vouch.flag" (list .root "hosted" "hosted-namespaces" ""))) }}{{ end -}}
{{- end -}}
