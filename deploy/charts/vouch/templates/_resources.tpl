{{/* What the operator resources says of itself. Made by `npm run charts`; never edited. */}}

{{- define "vouch.resources.lease" -}}
vouch-resources
{{- end -}}

{{- define "vouch.resources.variables" -}}
{{- $v := dict -}}
{{- $_ := set $v "services_acm" (has "acm" (splitList "," (nospace (include "vouch.flag" (list .root "resources" "services" ""))))) -}}
{{- $_ := set $v "services_eks" (has "eks" (splitList "," (nospace (include "vouch.flag" (list .root "resources" "services" ""))))) -}}
{{- $_ := set $v "services_iam" (has "iam" (splitList "," (nospace (include "vouch.flag" (list .root "resources" "services" ""))))) -}}
{{- $_ := set $v "services_route53" (has "route53" (splitList "," (nospace (include "vouch.flag" (list .root "resources" "services" ""))))) -}}
{{- $_ := set $v "services_s3" (has "s3" (splitList "," (nospace (include "vouch.flag" (list .root "resources" "services" ""))))) -}}
{{- $_ := set $v "watch_namespace_some" (ne (include "vouch.flag" (list .root "resources" "watch-namespace" "")) "") -}}
{{- $_ := set $v "watch_namespace_many" (and (ne (include "vouch.flag" (list .root "resources" "watch-namespace" "")) "") (gt (len (splitList "," (nospace (include "vouch.flag" (list .root "resources" "watch-namespace" ""))))) 1)) -}}
{{- $_ := set $v "allow_secrets_all" (eq (include "vouch.flag" (list .root "resources" "allow-secrets" "")) "*") -}}
{{- $_ := set $v "enable_field_export_reconciler_false" (eq (include "vouch.flag" (list .root "resources" "enable-field-export-reconciler" "true")) "false") -}}
{{- $_ := set $v "extended_field_exports_true" (eq (include "vouch.flag" (list .root "resources" "extended-field-exports" "false")) "true") -}}
{{- $_ := set $v "watch_secrets_false" (eq (include "vouch.flag" (list .root "resources" "watch-secrets" "true")) "false") -}}
{{- $_ := set $v "manifest_checks_warn" (eq (include "vouch.flag" (list .root "resources" "manifest-checks" "off")) "warn") -}}
{{- $_ := set $v "manifest_checks_deny" (eq (include "vouch.flag" (list .root "resources" "manifest-checks" "off")) "deny") -}}
{{- if ne (include "vouch.flag" (list .root "resources" "aws-services" "iam,s3,eks")) "iam,s3,eks" }}{{ fail "resources: rights and kinds follow --aws-services, which a chart cannot work out; print the manifests by vouch render" }}{{ end -}}
{{- if ne (include "vouch.flag" (list .root "resources" "enable-adopted-resource-reconciler" "false")) "false" }}{{ fail "resources: rights and kinds follow --enable-adopted-resource-reconciler, which a chart cannot work out; print the manifests by vouch render" }}{{ end -}}
{{- if ne (include "vouch.flag" (list .root "resources" "enable-carm" "true")) "true" }}{{ fail "resources: rights and kinds follow --enable-carm, which a chart cannot work out; print the manifests by vouch render" }}{{ end -}}
{{- if ne (include "vouch.flag" (list .root "resources" "events" "true")) "true" }}{{ fail "resources: rights and kinds follow --events, which a chart cannot work out; print the manifests by vouch render" }}{{ end -}}
{{- if ne (include "vouch.flag" (list .root "resources" "feature-gates" "")) "" }}{{ fail "resources: rights and kinds follow --feature-gates, which a chart cannot work out; print the manifests by vouch render" }}{{ end -}}
{{- if ne (include "vouch.flag" (list .root "resources" "install-crds" "false")) "false" }}{{ fail "resources: rights and kinds follow --install-crds, which a chart cannot work out; print the manifests by vouch render" }}{{ end -}}
{{- if ne (include "vouch.flag" (list .root "resources" "migrate-stored-versions" "false")) "false" }}{{ fail "resources: rights and kinds follow --migrate-stored-versions, which a chart cannot work out; print the manifests by vouch render" }}{{ end -}}
{{- if ne (include "vouch.flag" (list .root "resources" "models" "")) "" }}{{ fail "resources: rights and kinds follow --models, which a chart cannot work out; print the manifests by vouch render" }}{{ end -}}
{{- if ne (include "vouch.flag" (list .root "resources" "reconcile-resources" "")) "" }}{{ fail "resources: rights and kinds follow --reconcile-resources, which a chart cannot work out; print the manifests by vouch render" }}{{ end -}}
{{- $v | toJson -}}
{{- end -}}

{{- define "vouch.resources.mounts" -}}
{{- $root := .root -}}
[]
{{- end -}}

{{- define "vouch.resources.admits" -}}
{{- $v := include "vouch.resources.variables" . | fromJson -}}
{{- if (or $v.manifest_checks_warn $v.manifest_checks_deny) }}yes{{ end -}}
{{- end -}}

{{- define "vouch.resources.suffixes" -}}
{{- $v := include "vouch.resources.variables" . | fromJson -}}
{{- $names := list -}}
{{- if (or $v.manifest_checks_warn $v.manifest_checks_deny) }}{{ $names = append $names "resources" }}{{ end -}}
{{- uniq $names | toJson -}}
{{- end -}}

{{- define "vouch.resources.crds" -}}
{{- $v := include "vouch.resources.variables" . | fromJson -}}
{{- $files := list -}}
{{- if (not $v.extended_field_exports_true) }}{{ $files = append $files "fieldexports.services.k8s.aws.yaml" }}{{ end -}}
{{- $files = append $files "iamroleselectors.services.k8s.aws.yaml" -}}
{{- if $v.services_acm }}{{ $files = append $files "certificates.acm.services.k8s.aws.yaml" }}{{ end -}}
{{- if $v.extended_field_exports_true }}{{ $files = append $files "fieldexports.services.k8s.aws-2.yaml" }}{{ end -}}
{{- if $v.services_eks }}{{ $files = append $files "accessentries.eks.services.k8s.aws.yaml" }}{{ end -}}
{{- if $v.services_eks }}{{ $files = append $files "addons.eks.services.k8s.aws.yaml" }}{{ end -}}
{{- if $v.services_eks }}{{ $files = append $files "clusters.eks.services.k8s.aws.yaml" }}{{ end -}}
{{- if $v.services_eks }}{{ $files = append $files "fargateprofiles.eks.services.k8s.aws.yaml" }}{{ end -}}
{{- if $v.services_eks }}{{ $files = append $files "identityproviderconfigs.eks.services.k8s.aws.yaml" }}{{ end -}}
{{- if $v.services_eks }}{{ $files = append $files "nodegroups.eks.services.k8s.aws.yaml" }}{{ end -}}
{{- if $v.services_eks }}{{ $files = append $files "podidentityassociations.eks.services.k8s.aws.yaml" }}{{ end -}}
{{- if $v.services_iam }}{{ $files = append $files "groups.iam.services.k8s.aws.yaml" }}{{ end -}}
{{- if $v.services_iam }}{{ $files = append $files "instanceprofiles.iam.services.k8s.aws.yaml" }}{{ end -}}
{{- if $v.services_iam }}{{ $files = append $files "openidconnectproviders.iam.services.k8s.aws.yaml" }}{{ end -}}
{{- if $v.services_iam }}{{ $files = append $files "policies.iam.services.k8s.aws.yaml" }}{{ end -}}
{{- if $v.services_iam }}{{ $files = append $files "roles.iam.services.k8s.aws.yaml" }}{{ end -}}
{{- if $v.services_iam }}{{ $files = append $files "servicelinkedroles.iam.services.k8s.aws.yaml" }}{{ end -}}
{{- if $v.services_iam }}{{ $files = append $files "users.iam.services.k8s.aws.yaml" }}{{ end -}}
{{- if $v.services_route53 }}{{ $files = append $files "healthchecks.route53.services.k8s.aws.yaml" }}{{ end -}}
{{- if $v.services_route53 }}{{ $files = append $files "hostedzones.route53.services.k8s.aws.yaml" }}{{ end -}}
{{- if $v.services_route53 }}{{ $files = append $files "recordsets.route53.services.k8s.aws.yaml" }}{{ end -}}
{{- if $v.services_s3 }}{{ $files = append $files "buckets.s3.services.k8s.aws.yaml" }}{{ end -}}
{{- $files | toJson -}}
{{- end -}}

{{- define "vouch.resources.rules" -}}
{{- $roles := .roles -}}
{{- $root := .root -}}
{{- $v := include "vouch.resources.variables" . | fromJson -}}
{{- if (and $v.services_acm (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "acm.services.k8s.aws") "resources" (list "certificates") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end -}}
{{- if (and $v.services_acm (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "acm.services.k8s.aws") "resources" (list "certificates/status") "verbs" (list "patch"))) }}{{ end -}}
{{- if (not $v.watch_namespace_some) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "") "resources" (list "events") "verbs" (list "get" "create" "patch"))) }}{{ end -}}
{{- if (or $v.services_acm (and $v.services_route53 (not $v.watch_namespace_some))) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "route53.services.k8s.aws") "resources" (list "recordsets") "verbs" (list "get" "patch"))) }}{{ end -}}
{{- if $v.services_acm }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "route53.services.k8s.aws") "resources" (list "recordsets") "verbs" (list "create"))) }}{{ end -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "") "resources" (list "namespaces") "verbs" (list "list" "watch"))) -}}
{{- if (not $v.enable_field_export_reconciler_false) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "services.k8s.aws") "resources" (list "fieldexports") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end -}}
{{- if (not $v.enable_field_export_reconciler_false) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "services.k8s.aws") "resources" (list "fieldexports/status") "verbs" (list "patch"))) }}{{ end -}}
{{- if (not $v.enable_field_export_reconciler_false) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "") "resources" (list "configmaps") "verbs" (list "get" "patch"))) }}{{ end -}}
{{- if (or (and $v.services_acm (not $v.allow_secrets_all)) (and (not $v.services_acm) (and (not $v.allow_secrets_all) (not $v.enable_field_export_reconciler_false)))) }}{{ range $object := (splitList "," (nospace (include "vouch.flag" (list $root "resources" "allow-secrets" "")))) }}{{ if contains "/" $object }}{{ $namespace := index (splitList "/" $object) 0 }}{{ $name := index (splitList "/" $object) 1 }}{{ if ne $name "*" }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "") "resources" (list "secrets") "verbs" (list "get" "patch") "resourceNames" (list $name))) }}{{ end }}{{ end }}{{ end }}{{ end -}}
{{- if (or (and $v.services_acm (and (not $v.allow_secrets_all) (not $v.watch_secrets_false))) (and (not $v.services_acm) (and (not $v.allow_secrets_all) (and (not $v.enable_field_export_reconciler_false) (and $v.extended_field_exports_true (not $v.watch_secrets_false)))))) }}{{ range $object := (splitList "," (nospace (include "vouch.flag" (list $root "resources" "allow-secrets" "")))) }}{{ if contains "/" $object }}{{ $namespace := index (splitList "/" $object) 0 }}{{ $name := index (splitList "/" $object) 1 }}{{ if ne $name "*" }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "") "resources" (list "secrets") "verbs" (list "list" "watch") "resourceNames" (list $name))) }}{{ end }}{{ end }}{{ end }}{{ end -}}
{{- if (or (and $v.services_acm (not $v.allow_secrets_all)) (and (not $v.services_acm) (and (not $v.allow_secrets_all) (not $v.enable_field_export_reconciler_false)))) }}{{ range $object := (splitList "," (nospace (include "vouch.flag" (list $root "resources" "allow-secrets" "")))) }}{{ if contains "/" $object }}{{ $namespace := index (splitList "/" $object) 0 }}{{ $name := index (splitList "/" $object) 1 }}{{ if eq $name "*" }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "") "resources" (list "secrets") "verbs" (list "get" "patch"))) }}{{ end }}{{ end }}{{ end }}{{ end -}}
{{- if (or (and $v.services_acm (and (not $v.allow_secrets_all) (not $v.watch_secrets_false))) (and (not $v.services_acm) (and (not $v.allow_secrets_all) (and (not $v.enable_field_export_reconciler_false) (and $v.extended_field_exports_true (not $v.watch_secrets_false)))))) }}{{ range $object := (splitList "," (nospace (include "vouch.flag" (list $root "resources" "allow-secrets" "")))) }}{{ if contains "/" $object }}{{ $namespace := index (splitList "/" $object) 0 }}{{ $name := index (splitList "/" $object) 1 }}{{ if eq $name "*" }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "") "resources" (list "secrets") "verbs" (list "list" "watch"))) }}{{ end }}{{ end }}{{ end }}{{ end -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "services.k8s.aws") "resources" (list "iamroleselectors") "verbs" (list "list" "watch"))) -}}
{{- if (and (not $v.enable_field_export_reconciler_false) $v.extended_field_exports_true) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "") "resources" (list "configmaps") "verbs" (list "create"))) }}{{ end -}}
{{- if (and (not $v.allow_secrets_all) (and (not $v.enable_field_export_reconciler_false) $v.extended_field_exports_true)) }}{{ range $object := (splitList "," (nospace (include "vouch.flag" (list $root "resources" "allow-secrets" "")))) }}{{ if contains "/" $object }}{{ $namespace := index (splitList "/" $object) 0 }}{{ $name := index (splitList "/" $object) 1 }}{{ if ne $name "*" }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "") "resources" (list "secrets") "verbs" (list "create"))) }}{{ end }}{{ end }}{{ end }}{{ end -}}
{{- if (and (not $v.allow_secrets_all) (and (not $v.enable_field_export_reconciler_false) $v.extended_field_exports_true)) }}{{ range $object := (splitList "," (nospace (include "vouch.flag" (list $root "resources" "allow-secrets" "")))) }}{{ if contains "/" $object }}{{ $namespace := index (splitList "/" $object) 0 }}{{ $name := index (splitList "/" $object) 1 }}{{ if eq $name "*" }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "") "resources" (list "secrets") "verbs" (list "create"))) }}{{ end }}{{ end }}{{ end }}{{ end -}}
{{- if (or (and $v.watch_namespace_some (and $v.watch_namespace_many $v.enable_field_export_reconciler_false)) (and (not $v.watch_namespace_some) $v.enable_field_export_reconciler_false)) }}{{ include "vouch.add" (list $roles "ack-system" (dict "apiGroups" (list "") "resources" (list "configmaps") "verbs" (list "get") "resourceNames" (list "ack-role-account-map"))) }}{{ end -}}
{{- if (or (and $v.services_acm $v.allow_secrets_all) (and (not $v.services_acm) (and $v.allow_secrets_all (not $v.enable_field_export_reconciler_false)))) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "") "resources" (list "secrets") "verbs" (list "get" "patch"))) }}{{ end -}}
{{- if (or (and $v.services_acm (and (not $v.watch_namespace_some) (and $v.allow_secrets_all (not $v.watch_secrets_false)))) (and (not $v.services_acm) (and (not $v.watch_namespace_some) (and $v.allow_secrets_all (and (not $v.enable_field_export_reconciler_false) (and $v.extended_field_exports_true (not $v.watch_secrets_false))))))) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "") "resources" (list "secrets") "verbs" (list "list" "watch"))) }}{{ end -}}
{{- if (and $v.allow_secrets_all (and (not $v.enable_field_export_reconciler_false) $v.extended_field_exports_true)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "") "resources" (list "secrets") "verbs" (list "create"))) }}{{ end -}}
{{- if (and $v.services_acm $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "acm.services.k8s.aws") "resources" (list "certificates") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_acm $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "acm.services.k8s.aws") "resources" (list "certificates/status") "verbs" (list "patch"))) }}{{ end }}{{ end -}}
{{- if $v.watch_namespace_some }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "") "resources" (list "events") "verbs" (list "get" "create" "patch"))) }}{{ end }}{{ end -}}
{{- if (or (and $v.services_acm (and $v.watch_namespace_some (and $v.allow_secrets_all (not $v.watch_secrets_false)))) (and (not $v.services_acm) (and $v.watch_namespace_some (and $v.allow_secrets_all (and (not $v.enable_field_export_reconciler_false) (and $v.extended_field_exports_true (not $v.watch_secrets_false))))))) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "") "resources" (list "secrets") "verbs" (list "list" "watch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_eks (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "accessentries") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end -}}
{{- if (and $v.services_eks (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "accessentries/status") "verbs" (list "patch"))) }}{{ end -}}
{{- if (and $v.services_eks (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "addons") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end -}}
{{- if (and $v.services_eks (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "addons/status") "verbs" (list "patch"))) }}{{ end -}}
{{- if (and $v.services_eks (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "clusters") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end -}}
{{- if (and $v.services_eks (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "clusters/status") "verbs" (list "patch"))) }}{{ end -}}
{{- if (and $v.services_eks (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "fargateprofiles") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end -}}
{{- if (and $v.services_eks (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "fargateprofiles/status") "verbs" (list "patch"))) }}{{ end -}}
{{- if (and $v.services_eks (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "identityproviderconfigs") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end -}}
{{- if (and $v.services_eks (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "identityproviderconfigs/status") "verbs" (list "patch"))) }}{{ end -}}
{{- if (and $v.services_eks (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "nodegroups") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end -}}
{{- if (and $v.services_eks (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "nodegroups/status") "verbs" (list "patch"))) }}{{ end -}}
{{- if (and $v.services_eks (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "podidentityassociations") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end -}}
{{- if (and $v.services_eks (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "podidentityassociations/status") "verbs" (list "patch"))) }}{{ end -}}
{{- if (and $v.services_eks $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "accessentries") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_eks $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "accessentries/status") "verbs" (list "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_eks $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "addons") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_eks $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "addons/status") "verbs" (list "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_eks $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "clusters") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_eks $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "clusters/status") "verbs" (list "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_eks $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "fargateprofiles") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_eks $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "fargateprofiles/status") "verbs" (list "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_eks $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "identityproviderconfigs") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_eks $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "identityproviderconfigs/status") "verbs" (list "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_eks $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "nodegroups") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_eks $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "nodegroups/status") "verbs" (list "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_eks $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "podidentityassociations") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_eks $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "podidentityassociations/status") "verbs" (list "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_iam (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "groups") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end -}}
{{- if (and $v.services_iam (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "groups/status") "verbs" (list "patch"))) }}{{ end -}}
{{- if (and $v.services_iam (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "instanceprofiles") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end -}}
{{- if (and $v.services_iam (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "instanceprofiles/status") "verbs" (list "patch"))) }}{{ end -}}
{{- if (and $v.services_iam (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "openidconnectproviders") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end -}}
{{- if (and $v.services_iam (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "openidconnectproviders/status") "verbs" (list "patch"))) }}{{ end -}}
{{- if (and $v.services_iam (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "policies") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end -}}
{{- if (and $v.services_iam (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "policies/status") "verbs" (list "patch"))) }}{{ end -}}
{{- if (and $v.services_iam (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "roles") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end -}}
{{- if (and $v.services_iam (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "roles/status") "verbs" (list "patch"))) }}{{ end -}}
{{- if (and $v.services_iam (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "servicelinkedroles") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end -}}
{{- if (and $v.services_iam (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "servicelinkedroles/status") "verbs" (list "patch"))) }}{{ end -}}
{{- if (and $v.services_iam (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "users") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end -}}
{{- if (and $v.services_iam (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "users/status") "verbs" (list "patch"))) }}{{ end -}}
{{- if (and $v.services_iam $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "groups") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_iam $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "groups/status") "verbs" (list "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_iam $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "instanceprofiles") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_iam $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "instanceprofiles/status") "verbs" (list "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_iam $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "openidconnectproviders") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_iam $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "openidconnectproviders/status") "verbs" (list "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_iam $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "policies") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_iam $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "policies/status") "verbs" (list "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_iam $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "roles") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_iam $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "roles/status") "verbs" (list "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_iam $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "servicelinkedroles") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_iam $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "servicelinkedroles/status") "verbs" (list "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_iam $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "users") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_iam $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "users/status") "verbs" (list "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_route53 (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "route53.services.k8s.aws") "resources" (list "healthchecks") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end -}}
{{- if (and $v.services_route53 (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "route53.services.k8s.aws") "resources" (list "healthchecks/status") "verbs" (list "patch"))) }}{{ end -}}
{{- if (and $v.services_route53 (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "route53.services.k8s.aws") "resources" (list "hostedzones") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end -}}
{{- if (and $v.services_route53 (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "route53.services.k8s.aws") "resources" (list "hostedzones/status") "verbs" (list "patch"))) }}{{ end -}}
{{- if (and $v.services_route53 (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "route53.services.k8s.aws") "resources" (list "recordsets") "verbs" (list "list" "watch"))) }}{{ end -}}
{{- if (and $v.services_route53 (not $v.watch_namespace_some)) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "route53.services.k8s.aws") "resources" (list "recordsets/status") "verbs" (list "patch"))) }}{{ end -}}
{{- if (and $v.services_route53 $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "route53.services.k8s.aws") "resources" (list "healthchecks") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_route53 $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "route53.services.k8s.aws") "resources" (list "healthchecks/status") "verbs" (list "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_route53 $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "route53.services.k8s.aws") "resources" (list "hostedzones") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_route53 $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "route53.services.k8s.aws") "resources" (list "hostedzones/status") "verbs" (list "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_route53 $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "route53.services.k8s.aws") "resources" (list "recordsets") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.services_route53 $v.watch_namespace_some) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "route53.services.k8s.aws") "resources" (list "recordsets/status") "verbs" (list "patch"))) }}{{ end }}{{ end -}}
{{- if (or (and $v.services_acm (and $v.services_s3 (not $v.watch_namespace_some))) (and (not $v.services_acm) (or (and $v.services_eks (and $v.services_s3 (not $v.watch_namespace_some))) (and (not $v.services_eks) (or (and $v.services_iam (and $v.services_s3 (not $v.watch_namespace_some))) (and (not $v.services_iam) (or (and $v.services_route53 (and $v.services_s3 (not $v.watch_namespace_some))) (and (not $v.services_route53) (not $v.watch_namespace_some))))))))) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "s3.services.k8s.aws") "resources" (list "buckets") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end -}}
{{- if (or (and $v.services_acm (and $v.services_s3 (not $v.watch_namespace_some))) (and (not $v.services_acm) (or (and $v.services_eks (and $v.services_s3 (not $v.watch_namespace_some))) (and (not $v.services_eks) (or (and $v.services_iam (and $v.services_s3 (not $v.watch_namespace_some))) (and (not $v.services_iam) (or (and $v.services_route53 (and $v.services_s3 (not $v.watch_namespace_some))) (and (not $v.services_route53) (not $v.watch_namespace_some))))))))) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "s3.services.k8s.aws") "resources" (list "buckets/status") "verbs" (list "patch"))) }}{{ end -}}
{{- if (or (and $v.services_acm (and $v.services_s3 $v.watch_namespace_some)) (and (not $v.services_acm) (or (and $v.services_eks (and $v.services_s3 $v.watch_namespace_some)) (and (not $v.services_eks) (or (and $v.services_iam (and $v.services_s3 $v.watch_namespace_some)) (and (not $v.services_iam) (or (and $v.services_route53 (and $v.services_s3 $v.watch_namespace_some)) (and (not $v.services_route53) $v.watch_namespace_some)))))))) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "s3.services.k8s.aws") "resources" (list "buckets") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end }}{{ end -}}
{{- if (or (and $v.services_acm (and $v.services_s3 $v.watch_namespace_some)) (and (not $v.services_acm) (or (and $v.services_eks (and $v.services_s3 $v.watch_namespace_some)) (and (not $v.services_eks) (or (and $v.services_iam (and $v.services_s3 $v.watch_namespace_some)) (and (not $v.services_iam) (or (and $v.services_route53 (and $v.services_s3 $v.watch_namespace_some)) (and (not $v.services_route53) $v.watch_namespace_some)))))))) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "resources" "watch-namespace" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "s3.services.k8s.aws") "resources" (list "buckets/status") "verbs" (list "patch"))) }}{{ end }}{{ end -}}
{{- end -}}

{{- define "vouch.resources.objects" -}}
{{- $root := .root -}}
{{- $v := include "vouch.resources.variables" . | fromJson -}}
{{- end -}}

{{- define "vouch.resources.webhooks" -}}
{{- $root := .root -}}
{{- $v := include "vouch.resources.variables" . | fromJson -}}
{{- if (or $v.manifest_checks_warn $v.manifest_checks_deny) }}
{{- $rules := list -}}
{{- if (and $v.services_acm (or $v.manifest_checks_warn $v.manifest_checks_deny)) }}{{ $rules = append $rules (fromJson "{\"apiGroups\":[\"acm.services.k8s.aws\"],\"apiVersions\":[\"v1alpha1\"],\"operations\":[\"DELETE\"],\"resources\":[\"certificates\"]}") }}{{ end -}}
{{- if (and $v.services_eks (or $v.manifest_checks_warn $v.manifest_checks_deny)) }}{{ $rules = append $rules (fromJson "{\"apiGroups\":[\"eks.services.k8s.aws\"],\"apiVersions\":[\"v1alpha1\"],\"operations\":[\"DELETE\"],\"resources\":[\"accessentries\",\"addons\",\"clusters\",\"fargateprofiles\",\"identityproviderconfigs\",\"nodegroups\",\"podidentityassociations\"]}") }}{{ end -}}
{{- if (and $v.services_iam (or $v.manifest_checks_warn $v.manifest_checks_deny)) }}{{ $rules = append $rules (fromJson "{\"apiGroups\":[\"iam.services.k8s.aws\"],\"apiVersions\":[\"v1alpha1\"],\"operations\":[\"DELETE\"],\"resources\":[\"groups\",\"instanceprofiles\",\"openidconnectproviders\",\"policies\",\"roles\",\"servicelinkedroles\",\"users\"]}") }}{{ end -}}
{{- if (and $v.services_route53 (or $v.manifest_checks_warn $v.manifest_checks_deny)) }}{{ $rules = append $rules (fromJson "{\"apiGroups\":[\"route53.services.k8s.aws\"],\"apiVersions\":[\"v1alpha1\"],\"operations\":[\"DELETE\"],\"resources\":[\"healthchecks\",\"hostedzones\",\"recordsets\"]}") }}{{ end -}}
{{- if (or (and $v.services_acm (and $v.services_s3 (or $v.manifest_checks_warn $v.manifest_checks_deny))) (and (not $v.services_acm) (or (and $v.services_eks (and $v.services_s3 (or $v.manifest_checks_warn $v.manifest_checks_deny))) (and (not $v.services_eks) (or (and $v.services_iam (and $v.services_s3 (or $v.manifest_checks_warn $v.manifest_checks_deny))) (and (not $v.services_iam) (or (and $v.services_route53 (and $v.services_s3 (or $v.manifest_checks_warn $v.manifest_checks_deny))) (and (not $v.services_route53) (or $v.manifest_checks_warn $v.manifest_checks_deny))))))))) }}{{ $rules = append $rules (fromJson "{\"apiGroups\":[\"s3.services.k8s.aws\"],\"apiVersions\":[\"v1alpha1\"],\"operations\":[\"DELETE\"],\"resources\":[\"buckets\"]}") }}{{ end -}}
{{- $rules0 := $rules -}}
{{- $rules := list -}}
{{- if (and $v.services_acm (or $v.manifest_checks_warn $v.manifest_checks_deny)) }}{{ $rules = append $rules (fromJson "{\"apiGroups\":[\"acm.services.k8s.aws\"],\"apiVersions\":[\"v1alpha1\"],\"operations\":[\"CREATE\",\"UPDATE\"],\"resources\":[\"certificates\"]}") }}{{ end -}}
{{- if (and $v.services_eks (or $v.manifest_checks_warn $v.manifest_checks_deny)) }}{{ $rules = append $rules (fromJson "{\"apiGroups\":[\"eks.services.k8s.aws\"],\"apiVersions\":[\"v1alpha1\"],\"operations\":[\"CREATE\",\"UPDATE\"],\"resources\":[\"accessentries\",\"addons\",\"clusters\",\"fargateprofiles\",\"identityproviderconfigs\",\"nodegroups\",\"podidentityassociations\"]}") }}{{ end -}}
{{- if (and $v.services_iam (or $v.manifest_checks_warn $v.manifest_checks_deny)) }}{{ $rules = append $rules (fromJson "{\"apiGroups\":[\"iam.services.k8s.aws\"],\"apiVersions\":[\"v1alpha1\"],\"operations\":[\"CREATE\",\"UPDATE\"],\"resources\":[\"groups\",\"instanceprofiles\",\"openidconnectproviders\",\"policies\",\"roles\",\"servicelinkedroles\",\"users\"]}") }}{{ end -}}
{{- if (and $v.services_route53 (or $v.manifest_checks_warn $v.manifest_checks_deny)) }}{{ $rules = append $rules (fromJson "{\"apiGroups\":[\"route53.services.k8s.aws\"],\"apiVersions\":[\"v1alpha1\"],\"operations\":[\"CREATE\",\"UPDATE\"],\"resources\":[\"healthchecks\",\"hostedzones\",\"recordsets\"]}") }}{{ end -}}
{{- if (or (and $v.services_acm (and $v.services_s3 (or $v.manifest_checks_warn $v.manifest_checks_deny))) (and (not $v.services_acm) (or (and $v.services_eks (and $v.services_s3 (or $v.manifest_checks_warn $v.manifest_checks_deny))) (and (not $v.services_eks) (or (and $v.services_iam (and $v.services_s3 (or $v.manifest_checks_warn $v.manifest_checks_deny))) (and (not $v.services_iam) (or (and $v.services_route53 (and $v.services_s3 (or $v.manifest_checks_warn $v.manifest_checks_deny))) (and (not $v.services_route53) (or $v.manifest_checks_warn $v.manifest_checks_deny))))))))) }}{{ $rules = append $rules (fromJson "{\"apiGroups\":[\"s3.services.k8s.aws\"],\"apiVersions\":[\"v1alpha1\"],\"operations\":[\"CREATE\",\"UPDATE\"],\"resources\":[\"buckets\"]}") }}{{ end -}}
{{- $rules1 := $rules -}}
{{- $rules := list -}}
{{- if (and $v.services_acm (or $v.manifest_checks_warn $v.manifest_checks_deny)) }}{{ $rules = append $rules (fromJson "{\"apiGroups\":[\"acm.services.k8s.aws\"],\"apiVersions\":[\"v1alpha1\"],\"operations\":[\"CREATE\",\"UPDATE\"],\"resources\":[\"certificates\"]}") }}{{ end -}}
{{- if (and $v.services_eks (or $v.manifest_checks_warn $v.manifest_checks_deny)) }}{{ $rules = append $rules (fromJson "{\"apiGroups\":[\"eks.services.k8s.aws\"],\"apiVersions\":[\"v1alpha1\"],\"operations\":[\"CREATE\",\"UPDATE\"],\"resources\":[\"accessentries\",\"addons\",\"clusters\",\"fargateprofiles\",\"identityproviderconfigs\",\"nodegroups\",\"podidentityassociations\"]}") }}{{ end -}}
{{- if (and $v.services_iam (or $v.manifest_checks_warn $v.manifest_checks_deny)) }}{{ $rules = append $rules (fromJson "{\"apiGroups\":[\"iam.services.k8s.aws\"],\"apiVersions\":[\"v1alpha1\"],\"operations\":[\"CREATE\",\"UPDATE\"],\"resources\":[\"groups\",\"instanceprofiles\",\"openidconnectproviders\",\"policies\",\"roles\",\"servicelinkedroles\",\"users\"]}") }}{{ end -}}
{{- if (and $v.services_route53 (or $v.manifest_checks_warn $v.manifest_checks_deny)) }}{{ $rules = append $rules (fromJson "{\"apiGroups\":[\"route53.services.k8s.aws\"],\"apiVersions\":[\"v1alpha1\"],\"operations\":[\"CREATE\",\"UPDATE\"],\"resources\":[\"healthchecks\",\"hostedzones\",\"recordsets\"]}") }}{{ end -}}
{{- if (or (and $v.services_acm (and $v.services_s3 (or $v.manifest_checks_warn $v.manifest_checks_deny))) (and (not $v.services_acm) (or (and $v.services_eks (and $v.services_s3 (or $v.manifest_checks_warn $v.manifest_checks_deny))) (and (not $v.services_eks) (or (and $v.services_iam (and $v.services_s3 (or $v.manifest_checks_warn $v.manifest_checks_deny))) (and (not $v.services_iam) (or (and $v.services_route53 (and $v.services_s3 (or $v.manifest_checks_warn $v.manifest_checks_deny))) (and (not $v.services_route53) (or $v.manifest_checks_warn $v.manifest_checks_deny))))))))) }}{{ $rules = append $rules (fromJson "{\"apiGroups\":[\"s3.services.k8s.aws\"],\"apiVersions\":[\"v1alpha1\"],\"operations\":[\"CREATE\",\"UPDATE\"],\"resources\":[\"buckets\"]}") }}{{ end -}}
{{- $rules2 := $rules -}}
{{ "\n---" }}
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: {{ include "vouch.fullname" $root }}-resources
  labels:
    {{- include "vouch.labels" $root | nindent 4 }}
{{- with include "vouch.webhookAnnotations" $root }}{{ . | nindent 2 }}{{ end }}
webhooks:
  - name: protected.services.k8s.aws
    rules: {{ $rules0 | toJson }}
    failurePolicy: Fail
    clientConfig:
      service:
        namespace: {{ include "vouch.namespace" $root }}
        name: {{ include "vouch.fullname" $root }}-webhook
        port: 443
        path: /validate-services-k8s-aws
{{- with include "vouch.caBundle" $root }}{{ . | nindent 6 }}{{ end }}
    admissionReviewVersions:
      - v1
    matchPolicy: Equivalent
    sideEffects: None
    timeoutSeconds: 10
    matchConditions:
      - name: protected
        expression: has(oldObject.metadata.annotations) && 'services.k8s.aws/deletion-protection' in oldObject.metadata.annotations && oldObject.metadata.annotations['services.k8s.aws/deletion-protection'].lowerAscii() == 'true'
  - name: values.services.k8s.aws
    rules: {{ $rules1 | toJson }}
    failurePolicy: Ignore
    clientConfig:
      service:
        namespace: {{ include "vouch.namespace" $root }}
        name: {{ include "vouch.fullname" $root }}-webhook
        port: 443
        path: /validate-services-k8s-aws
{{- with include "vouch.caBundle" $root }}{{ . | nindent 6 }}{{ end }}
    admissionReviewVersions:
      - v1
    matchPolicy: Equivalent
    sideEffects: None
    timeoutSeconds: 10
    matchConditions:
      - name: not-the-operators-own-updates
        expression: request.operation != 'UPDATE' || request.userInfo.username != 'system:serviceaccount:{{ include "vouch.namespace" $root }}:{{ include "vouch.accountOf" (list $root "resources") }}'
  - name: marks.services.k8s.aws
    rules: {{ $rules2 | toJson }}
    failurePolicy: Ignore
    clientConfig:
      service:
        namespace: {{ include "vouch.namespace" $root }}
        name: {{ include "vouch.fullname" $root }}-webhook
        port: 443
        path: /marks-services-k8s-aws
{{- with include "vouch.caBundle" $root }}{{ . | nindent 6 }}{{ end }}
    admissionReviewVersions:
      - v1
    matchPolicy: Equivalent
    sideEffects: None
    timeoutSeconds: 10
    matchConditions:
      - name: not-the-operator-itself
        expression: request.userInfo.username != 'system:serviceaccount:{{ include "vouch.namespace" $root }}:{{ include "vouch.accountOf" (list $root "resources") }}'
{{- end }}
{{- end -}}

{{- define "vouch.resources.checkFlags" -}}
{{- if not (or (include "vouch.flag" (list .root "resources" "aws-region" "")) (regexMatch "(?m)^--?aws-region(=|$)" (join "\n" .root.Values.operator.extraArgs))) }}{{ fail "the operator resources needs --aws-region: the region in which it makes what is asked for" }}{{ end -}}
{{- if or (not (regexMatch "^ *(acm|eks|iam|route53|s3) *(, *(acm|eks|iam|route53|s3) *)*$" (include "vouch.flag" (list .root "resources" "services" "")))) }}{{ fail (printf "resources: in a chart --services takes any of acm, eks, iam, route53, s3, separated by commas, not %q" (include "vouch.flag" (list .root "resources" "services" ""))) }}{{ end -}}
{{- if or (not (regexMatch "^(| *([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?) *(, *([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?) *)*)$" (include "vouch.flag" (list .root "resources" "watch-namespace" "")))) (ne (len (splitList "," (nospace (include "vouch.flag" (list .root "resources" "watch-namespace" ""))))) (len (uniq (splitList "," (nospace (include "vouch.flag" (list .root "resources" "watch-namespace" ""))))))) }}{{ fail (printf "resources: in a chart --watch-namespace takes names of namespaces, each once, separated by commas, not %q" (include "vouch.flag" (list .root "resources" "watch-namespace" ""))) }}{{ end -}}
{{- if or (not (regexMatch "^(\\*| *([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?/(\\*|[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?)) *(, *([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?/(\\*|[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?)) *)*)?$" (include "vouch.flag" (list .root "resources" "allow-secrets" "")))) }}{{ fail (printf "resources: in a chart --allow-secrets takes namespace/name or namespace/*, separated by commas, or * for all, not %q" (include "vouch.flag" (list .root "resources" "allow-secrets" ""))) }}{{ end -}}
{{- if or (not (regexMatch "^(true|false)$" (include "vouch.flag" (list .root "resources" "enable-field-export-reconciler" "true")))) }}{{ fail (printf "resources: in a chart --enable-field-export-reconciler takes true or false, not %q" (include "vouch.flag" (list .root "resources" "enable-field-export-reconciler" "true"))) }}{{ end -}}
{{- if or (not (regexMatch "^(false|true)$" (include "vouch.flag" (list .root "resources" "extended-field-exports" "false")))) }}{{ fail (printf "resources: in a chart --extended-field-exports takes false or true, not %q" (include "vouch.flag" (list .root "resources" "extended-field-exports" "false"))) }}{{ end -}}
{{- if or (not (regexMatch "^(true|false)$" (include "vouch.flag" (list .root "resources" "watch-secrets" "true")))) }}{{ fail (printf "resources: in a chart --watch-secrets takes true or false, not %q" (include "vouch.flag" (list .root "resources" "watch-secrets" "true"))) }}{{ end -}}
{{- if or (not (regexMatch "^(off|warn|deny)$" (include "vouch.flag" (list .root "resources" "manifest-checks" "off")))) }}{{ fail (printf "resources: in a chart --manifest-checks takes off or warn or deny, not %q" (include "vouch.flag" (list .root "resources" "manifest-checks" "off"))) }}{{ end -}}
{{- end -}}
