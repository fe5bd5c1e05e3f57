{{/* What the operator dns says of itself. Made by `npm run charts`; never edited. */}}

{{- define "vouch.dns.lease" -}}
leaderelection.externaldns.olm.openshift.io
{{- end -}}

{{- define "vouch.dns.variables" -}}
{{- $v := dict -}}
{{- $_ := set $v "enable_webhook_false" (eq (include "vouch.flag" (list .root "dns" "enable-webhook" "true")) "false") -}}
{{- $_ := set $v "per_instance_rbac_true" (eq (include "vouch.flag" (list .root "dns" "per-instance-rbac" "false")) "true") -}}
{{- $_ := set $v "dns_monitoring_prometheus" (eq (include "vouch.flag" (list .root "dns" "dns-monitoring" "none")) "prometheus") -}}
{{- if ne (include "vouch.flag" (list .root "dns" "operator-namespace" "external-dns-operator")) "external-dns-operator" }}{{ fail "dns: rights and kinds follow --operator-namespace, which a chart cannot work out; print the manifests by vouch render" }}{{ end -}}
{{- if ne (include "vouch.flag" (list .root "dns" "operand-namespace" "external-dns")) "external-dns" }}{{ fail "dns: rights and kinds follow --operand-namespace, which a chart cannot work out; print the manifests by vouch render" }}{{ end -}}
{{- if ne (include "vouch.flag" (list .root "dns" "binding-namespaces" "")) "" }}{{ fail "dns: rights and kinds follow --binding-namespaces, which a chart cannot work out; print the manifests by vouch render" }}{{ end -}}
{{- if ne (include "vouch.flag" (list .root "dns" "trusted-ca-configmap" "")) "" }}{{ fail "dns: rights and kinds follow --trusted-ca-configmap, which a chart cannot work out; print the manifests by vouch render" }}{{ end -}}
{{- if ne (include "vouch.flag" (list .root "dns" "dns-storage-version" "v1beta1")) "v1beta1" }}{{ fail "dns: rights and kinds follow --dns-storage-version, which a chart cannot work out; print the manifests by vouch render" }}{{ end -}}
{{- $v | toJson -}}
{{- end -}}

{{- define "vouch.dns.mounts" -}}
{{- $root := .root -}}
[]
{{- end -}}

{{- define "vouch.dns.admits" -}}
{{- $v := include "vouch.dns.variables" . | fromJson -}}
{{- if (not $v.enable_webhook_false) }}yes{{ end -}}
{{- end -}}

{{- define "vouch.dns.suffixes" -}}
{{- $v := include "vouch.dns.variables" . | fromJson -}}
{{- $names := list -}}
{{- if (not $v.enable_webhook_false) }}{{ $names = append $names "dns" }}{{ end -}}
{{- uniq $names | toJson -}}
{{- end -}}

{{- define "vouch.dns.crds" -}}
{{- $v := include "vouch.dns.variables" . | fromJson -}}
{{- $files := list -}}
{{- $files = append $files "externaldnses.externaldns.olm.openshift.io.yaml" -}}
{{- $files | toJson -}}
{{- end -}}

{{- define "vouch.dns.rules" -}}
{{- $roles := .roles -}}
{{- $root := .root -}}
{{- $v := include "vouch.dns.variables" . | fromJson -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "externaldns.olm.openshift.io") "resources" (list "externaldnses") "verbs" (list "get" "list" "watch" "patch"))) -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "externaldns.olm.openshift.io") "resources" (list "externaldnses/status") "verbs" (list "patch"))) -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "externaldns.olm.openshift.io") "resources" (list "externaldnses/finalizers") "verbs" (list "update"))) -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "apiextensions.k8s.io") "resources" (list "customresourcedefinitions") "verbs" (list "get") "resourceNames" (list "externaldnses.externaldns.olm.openshift.io"))) -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "apiextensions.k8s.io") "resources" (list "customresourcedefinitions/status") "verbs" (list "patch") "resourceNames" (list "externaldnses.externaldns.olm.openshift.io"))) -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "cloudcredential.openshift.io") "resources" (list "credentialsrequests") "verbs" (list "get" "list" "watch" "create" "update"))) -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "config.openshift.io") "resources" (list "infrastructures") "verbs" (list "get"))) -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "config.openshift.io") "resources" (list "dnses") "verbs" (list "list" "watch") "resourceNames" (list "cluster"))) -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "aws.identity.appthrust.io") "resources" (list "awsserviceaccountroles") "verbs" (list "get" "list" "watch"))) -}}
{{- include "vouch.add" (list $roles "external-dns" (dict "apiGroups" (list "aws.identity.appthrust.io") "resources" (list "awsserviceaccountroles") "verbs" (list "create" "patch"))) -}}
{{- include "vouch.add" (list $roles "external-dns-operator" (dict "apiGroups" (list "") "resources" (list "secrets") "verbs" (list "get" "list" "watch"))) -}}
{{- include "vouch.add" (list $roles "external-dns" (dict "apiGroups" (list "") "resources" (list "secrets") "verbs" (list "get" "list" "watch" "create" "update"))) -}}
{{- include "vouch.add" (list $roles "external-dns" (dict "apiGroups" (list "") "resources" (list "serviceaccounts") "verbs" (list "get" "list" "watch" "create" "patch"))) -}}
{{- include "vouch.add" (list $roles "external-dns" (dict "apiGroups" (list "apps") "resources" (list "deployments") "verbs" (list "get" "list" "watch" "create" "update" "delete"))) -}}
{{- include "vouch.add" (list $roles "external-dns" (dict "apiGroups" (list "batch") "resources" (list "jobs") "verbs" (list "get" "list" "watch" "create"))) -}}
{{- include "vouch.add" (list $roles "external-dns" (dict "apiGroups" (list "") "resources" (list "pods") "verbs" (list "list" "watch"))) -}}
{{- include "vouch.add" (list $roles "external-dns" (dict "apiGroups" (list "") "resources" (list "pods/log") "verbs" (list "get"))) -}}
{{- include "vouch.add" (list $roles "external-dns" (dict "apiGroups" (list "") "resources" (list "serviceaccounts/token") "verbs" (list "create"))) -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "") "resources" (list "events") "verbs" (list "get" "create" "patch"))) -}}
{{- if $v.per_instance_rbac_true }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "rbac.authorization.k8s.io") "resources" (list "clusterrolebindings") "verbs" (list "get" "list" "watch" "create" "update" "delete"))) }}{{ end -}}
{{- if $v.per_instance_rbac_true }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "rbac.authorization.k8s.io") "resources" (list "clusterroles") "verbs" (list "bind") "resourceNames" (list "external-dns-source-openshiftroute" "external-dns-source-service" "external-dns-source-crd" "external-dns-source-ingress" "external-dns-source-gatewayhttproute"))) }}{{ end -}}
{{- end -}}

{{- define "vouch.dns.objects" -}}
{{- $root := .root -}}
{{- $v := include "vouch.dns.variables" . | fromJson -}}
{{- if (not $v.per_instance_rbac_true) }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: external-dns
  labels:
    {{- include "vouch.labels" $root | nindent 4 }}
rules:
  - apiGroups:
      - route.openshift.io
    resources:
      - routes
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - ''
    resources:
      - endpoints
      - services
      - pods
      - nodes
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - discovery.k8s.io
    resources:
      - endpointslices
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - externaldns.k8s.io
    resources:
      - dnsendpoints
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - externaldns.k8s.io
    resources:
      - dnsendpoints/status
    verbs:
      - update
      - patch
  - apiGroups:
      - networking.k8s.io
    resources:
      - ingresses
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - gateway.networking.k8s.io
    resources:
      - gateways
      - httproutes
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - ''
    resources:
      - namespaces
    verbs:
      - get
      - list
      - watch
{{- end }}
{{- if (not $v.per_instance_rbac_true) }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: external-dns
  labels:
    {{- include "vouch.labels" $root | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: external-dns
subjects:
  - apiGroup: rbac.authorization.k8s.io
    kind: Group
    name: system:serviceaccounts:external-dns
{{- end }}
{{- if true }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: externaldns-viewer-role
  labels:
    {{- include "vouch.labels" $root | nindent 4 }}
rules:
  - apiGroups:
      - externaldns.olm.openshift.io
    resources:
      - externaldnses
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - externaldns.olm.openshift.io
    resources:
      - externaldnses/status
    verbs:
      - get
{{- end }}
{{- if true }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: externaldns-editor-role
  labels:
    {{- include "vouch.labels" $root | nindent 4 }}
rules:
  - apiGroups:
      - externaldns.olm.openshift.io
    resources:
      - externaldnses
    verbs:
      - create
      - delete
      - get
      - list
      - watch
      - patch
      - update
  - apiGroups:
      - externaldns.olm.openshift.io
    resources:
      - externaldnses/status
    verbs:
      - get
{{- end }}
{{- if $v.dns_monitoring_prometheus }}
---
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: {{ include "vouch.fullname" $root }}-dns
  namespace: {{ include "vouch.namespace" $root }}
  labels:
    {{- include "vouch.labels" $root | nindent 4 }}
spec:
  groups:
    - name: external-dns-operator
      rules:
        - alert: ExternalDNSAuthenticationFailing
          expr: sum(rate(externaldns_operator_operand_errors_total{reason=~"AuthenticationFailed|AccessDenied"}[10m])) > 0 or sum(rate(externaldns_operator_preflight_total{result="failure"}[30m])) > 0
          for: 10m
          labels:
            severity: warning
          annotations:
            summary: Credentials or roles of ExternalDNS objects are refused
            runbook: docs/guides/dns-troubleshooting.md
        - alert: ExternalDNSOperandCrashing
          expr: sum(rate(externaldns_operator_operand_errors_total{reason=~"Crash"}[10m])) > 0
          for: 5m
          labels:
            severity: warning
          annotations:
            summary: An ExternalDNS ends again and again
            runbook: docs/guides/dns-troubleshooting.md
        - alert: ExternalDNSNotSynced
          expr: sum(externaldns_operator_instances{available!="True"}) > 0
          for: 15m
          labels:
            severity: warning
          annotations:
            summary: '{{ "{{" }} $value }} ExternalDNS objects are not Available'
            runbook: docs/guides/dns-troubleshooting.md
        - alert: ExternalDNSOperatorHotLoop
          expr: rate(externaldns_operator_deployment_updates_total[15m]) > 0.05
          for: 15m
          labels:
            severity: warning
          annotations:
            summary: 'Deployments of ExternalDNS are changed again and again: somebody else changes them back'
            runbook: docs/guides/dns-troubleshooting.md
{{- end }}
{{- if $v.per_instance_rbac_true }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: external-dns-source-openshiftroute
  labels:
    {{- include "vouch.labels" $root | nindent 4 }}
rules:
  - apiGroups:
      - route.openshift.io
    resources:
      - routes
    verbs:
      - get
      - list
      - watch
{{- end }}
{{- if $v.per_instance_rbac_true }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: external-dns-source-service
  labels:
    {{- include "vouch.labels" $root | nindent 4 }}
rules:
  - apiGroups:
      - ''
    resources:
      - endpoints
      - services
      - pods
      - nodes
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - discovery.k8s.io
    resources:
      - endpointslices
    verbs:
      - get
      - list
      - watch
{{- end }}
{{- if $v.per_instance_rbac_true }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: external-dns-source-crd
  labels:
    {{- include "vouch.labels" $root | nindent 4 }}
rules:
  - apiGroups:
      - externaldns.k8s.io
    resources:
      - dnsendpoints
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - externaldns.k8s.io
    resources:
      - dnsendpoints/status
    verbs:
      - update
      - patch
{{- end }}
{{- if $v.per_instance_rbac_true }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: external-dns-source-ingress
  labels:
    {{- include "vouch.labels" $root | nindent 4 }}
rules:
  - apiGroups:
      - networking.k8s.io
    resources:
      - ingresses
    verbs:
      - get
      - list
      - watch
{{- end }}
{{- if $v.per_instance_rbac_true }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: external-dns-source-gatewayhttproute
  labels:
    {{- include "vouch.labels" $root | nindent 4 }}
rules:
  - apiGroups:
      - gateway.networking.k8s.io
    resources:
      - gateways
      - httproutes
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - ''
    resources:
      - namespaces
    verbs:
      - get
      - list
      - watch
{{- end }}
{{- end -}}

{{- define "vouch.dns.webhooks" -}}
{{- $root := .root -}}
{{- $v := include "vouch.dns.variables" . | fromJson -}}
{{- if (not $v.enable_webhook_false) }}
{{- $rules := list -}}
{{- if (not $v.enable_webhook_false) }}{{ $rules = append $rules (fromJson "{\"apiGroups\":[\"externaldns.olm.openshift.io\"],\"apiVersions\":[\"v1beta1\"],\"operations\":[\"CREATE\",\"UPDATE\"],\"resources\":[\"externaldnses\"]}") }}{{ end -}}
{{- if (not $v.enable_webhook_false) }}{{ $rules = append $rules (fromJson "{\"apiGroups\":[\"externaldns.olm.openshift.io\"],\"apiVersions\":[\"v1beta2\"],\"operations\":[\"CREATE\",\"UPDATE\"],\"resources\":[\"externaldnses\"]}") }}{{ end -}}
{{- $rules0 := $rules -}}
{{ "\n---" }}
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: {{ include "vouch.fullname" $root }}-dns
  labels:
    {{- include "vouch.labels" $root | nindent 4 }}
{{- with include "vouch.webhookAnnotations" $root }}{{ . | nindent 2 }}{{ end }}
webhooks:
  - name: vexternaldns.kb.io
    rules: {{ $rules0 | toJson }}
    failurePolicy: Fail
    clientConfig:
      service:
        namespace: {{ include "vouch.namespace" $root }}
        name: {{ include "vouch.fullname" $root }}-webhook
        port: 443
        path: /validate-externaldns-olm-openshift-io-v1beta1-externaldns
{{- with include "vouch.caBundle" $root }}{{ . | nindent 6 }}{{ end }}
    admissionReviewVersions:
      - v1
    matchPolicy: Equivalent
    sideEffects: None
    timeoutSeconds: 10
{{- end }}
{{- end -}}

{{- define "vouch.dns.checkFlags" -}}
{{- if not (or (include "vouch.flag" (list .root "dns" "operand-namespace" "")) (regexMatch "(?m)^--?operand-namespace(=|$)" (join "\n" .root.Values.operator.extraArgs))) }}{{ fail "the operator dns needs --operand-namespace: where ExternalDNS runs; this namespace, and that of --operator-namespace with the Secrets, have to be there" }}{{ end -}}
{{- if or (not (regexMatch "^(true|false)$" (include "vouch.flag" (list .root "dns" "enable-webhook" "true")))) }}{{ fail (printf "dns: in a chart --enable-webhook takes true or false, not %q" (include "vouch.flag" (list .root "dns" "enable-webhook" "true"))) }}{{ end -}}
{{- if or (not (regexMatch "^(false|true)$" (include "vouch.flag" (list .root "dns" "per-instance-rbac" "false")))) }}{{ fail (printf "dns: in a chart --per-instance-rbac takes false or true, not %q" (include "vouch.flag" (list .root "dns" "per-instance-rbac" "false"))) }}{{ end -}}
{{- if or (not (regexMatch "^(none|prometheus)$" (include "vouch.flag" (list .root "dns" "dns-monitoring" "none")))) }}{{ fail (printf "dns: in a chart --dns-monitoring takes none or prometheus, not %q" (include "vouch.flag" (list .root "dns" "dns-monitoring" "none"))) }}{{ end -}}
{{- end -}}
