{{/* (list ROLES NAMESPACE RULE): one rule more in a namespace, or everywhere where that is empty. */}}
{{- define "vouch.add" -}}
{{- $roles := index . 0 -}}
{{- $namespace := index . 1 -}}
{{- $held := hasKey $roles $namespace | ternary (get $roles $namespace) list -}}
{{- $_ := set $roles $namespace (append $held (index . 2)) -}}
{{- end -}}

{{/* (dict "root" . "roles" ROLES): what every process needs, whatever runs in it. */}}
{{- define "vouch.processRules" -}}
{{- $roles := .roles -}}
{{- if .root.Values.operator.leaderElection.enabled -}}
{{- $namespace := default (include "vouch.namespace" .root) .root.Values.operator.leaderElection.namespace -}}
{{- if ne (int .root.Values.operator.leaderElection.shards) 0 -}}
{{- include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "coordination.k8s.io") "resources" (list "leases") "verbs" (list "create" "get" "list" "watch" "update" "delete"))) -}}
{{- else -}}
{{- $leases := list -}}
{{- range $operator := include "vouch.operators" .root | fromJsonArray -}}
{{- $leases = append $leases (include (printf "vouch.%s.lease" $operator) nil) -}}
{{- end -}}
{{- include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "coordination.k8s.io") "resources" (list "leases") "verbs" (list "create"))) -}}
{{- include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "coordination.k8s.io") "resources" (list "leases") "verbs" (list "get" "list" "watch" "update") "resourceNames" $leases)) -}}
{{- end -}}
{{- end -}}
{{- if include "vouch.keepsAuthority" .root -}}
{{- $secret := printf "%s-webhook-authority" (include "vouch.fullname" .root) -}}
{{- include "vouch.add" (list $roles (include "vouch.namespace" .root) (dict "apiGroups" (list "") "resources" (list "secrets") "verbs" (list "get" "list" "watch" "update") "resourceNames" (list $secret))) -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "admissionregistration.k8s.io") "resources" (list "validatingwebhookconfigurations") "verbs" (list "get" "list" "watch" "patch") "resourceNames" (include "vouch.configurations" .root | fromJsonArray))) -}}
{{- $root := .root -}}
{{- $converted := list -}}
{{- range $operator := include "vouch.operators" $root | fromJsonArray -}}
{{- range $file := include "vouch.part" (dict "root" $root "operator" $operator "what" "crds") | fromJsonArray -}}
{{- if contains "strategy: Webhook" ($root.Files.Get (printf "files/crds/%s" $file)) }}{{ $converted = append $converted (trimSuffix ".yaml" $file) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- if $converted -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "apiextensions.k8s.io") "resources" (list "customresourcedefinitions") "verbs" (list "get" "list" "watch" "patch") "resourceNames" $converted)) -}}
{{- end -}}
{{- end -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "authentication.k8s.io") "resources" (list "tokenreviews") "verbs" (list "create"))) -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "authorization.k8s.io") "resources" (list "subjectaccessreviews") "verbs" (list "create"))) -}}
{{- end -}}

{{/* (dict "root" . "name" NAME "account" ACCOUNT "roles" ROLES "extra" RULES): roles and bindings of an account. */}}
{{- define "vouch.rbac" -}}
{{- $namespace := include "vouch.namespace" .root -}}
{{- $roles := .roles -}}
{{- $name := .name -}}
{{- $root := .root -}}
{{- $account := .account -}}
{{- $everywhere := hasKey $roles "" | ternary (get $roles "") list }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  {{- include "vouch.metadata" (dict "root" $root "name" $name "annotations" $root.Values.rbac.annotations) | nindent 2 }}
rules:
  {{- toYaml (concat $everywhere .extra) | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  {{- include "vouch.metadata" (dict "root" $root "name" $name "annotations" $root.Values.rbac.annotations) | nindent 2 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: {{ $name }}
subjects:
  - kind: ServiceAccount
    namespace: {{ $namespace }}
    name: {{ $account }}
{{- range $place := keys $roles | sortAlpha }}
{{- if $place }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  {{- include "vouch.metadata" (dict "root" $root "name" $name "namespace" $place "annotations" $root.Values.rbac.annotations) | nindent 2 }}
rules:
  {{- toYaml (get $roles $place) | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  {{- include "vouch.metadata" (dict "root" $root "name" $name "namespace" $place "annotations" $root.Values.rbac.annotations) | nindent 2 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: {{ $name }}
subjects:
  - kind: ServiceAccount
    namespace: {{ $namespace }}
    name: {{ $account }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The annotations of a configuration of webhooks: cert-manager fills in whom the API server trusts. */}}
{{- define "vouch.webhookAnnotations" -}}
{{- $own := dict -}}
{{- if eq .Values.webhookCertificate.source "cert-manager" -}}
{{- $_ := set $own "cert-manager.io/inject-ca-from" (printf "%s/%s-webhook-ca" (include "vouch.namespace" .) (include "vouch.fullname" .)) -}}
{{- end -}}
{{- with merge $own .Values.commonAnnotations -}}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end -}}
{{- end -}}

{{- define "vouch.caBundle" -}}
{{- if eq .Values.webhookCertificate.source "secret" -}}
caBundle: {{ .Values.webhookCertificate.caBundle | b64enc }}
{{- end -}}
{{- end -}}

{{/* The definition of a kind. Where the process converts its versions, it says where, and whom to trust. */}}
{{- define "vouch.placedCrd" -}}
{{- $text := .text | replace "ph-namespace" (include "vouch.namespace" .root) | replace "ph-name" (include "vouch.fullname" .root) -}}
{{- if contains "strategy: Webhook" $text -}}
{{- $kept := "    helm.sh/resource-policy: keep\n" -}}
{{- if eq .root.Values.webhookCertificate.source "cert-manager" -}}
{{- $inject := printf "cert-manager.io/inject-ca-from: %s/%s-webhook-ca" (include "vouch.namespace" .root) (include "vouch.fullname" .root) -}}
{{- $text = $text | replace $kept (printf "%s    %s\n" $kept $inject) -}}
{{- end -}}
{{- with include "vouch.caBundle" .root -}}
{{- $text = $text | replace "      clientConfig:\n" (printf "      clientConfig:\n        %s\n" .) -}}
{{- end -}}
{{- end -}}
{{- $text -}}
{{- end -}}
