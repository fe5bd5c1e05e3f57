{{/* What the operator identity says of itself. Made by `npm run charts`; never edited. */}}

{{- define "vouch.identity.lease" -}}
aws-workload-identity-operator
{{- end -}}

{{- define "vouch.identity.variables" -}}
{{- $v := dict -}}
{{- $_ := set $v "aws_writer_direct" (eq (include "vouch.flag" (list .root "identity" "aws-writer" "children")) "direct") -}}
{{- $_ := set $v "cluster_profile_namespaces_some" (ne (include "vouch.flag" (list .root "identity" "cluster-profile-namespaces" "")) "*") -}}
{{- $_ := set $v "cluster_profile_namespaces_many" (and (ne (include "vouch.flag" (list .root "identity" "cluster-profile-namespaces" "")) "*") (gt (len (splitList "," (nospace (include "vouch.flag" (list .root "identity" "cluster-profile-namespaces" ""))))) 1)) -}}
{{- $v | toJson -}}
{{- end -}}

{{- define "vouch.identity.mounts" -}}
{{- $root := .root -}}
[{"name":"providers","mountPath":"/etc/cluster-inventory","configMap":"{{ include "vouch.fullname" $root }}-clusterprofile-provider-file"}]
{{- end -}}

{{- define "vouch.identity.admits" -}}
{{- $v := include "vouch.identity.variables" . | fromJson -}}
yes
{{- end -}}

{{- define "vouch.identity.suffixes" -}}
{{- $v := include "vouch.identity.variables" . | fromJson -}}
{{- $names := list -}}
{{- $names = append $names "validating" -}}
{{- uniq $names | toJson -}}
{{- end -}}

{{- define "vouch.identity.crds" -}}
{{- $v := include "vouch.identity.variables" . | fromJson -}}
{{- $files := list -}}
{{- $files = append $files "awsworkloadidentityoperatorconfigs.aws.identity.appthrust.io.yaml" -}}
{{- $files = append $files "awsworkloadidentityconfigs.aws.identity.appthrust.io.yaml" -}}
{{- $files = append $files "awsserviceaccountroles.aws.identity.appthrust.io.yaml" -}}
{{- $files = append $files "awsserviceaccountrolereplicasets.aws.identity.appthrust.io.yaml" -}}
{{- $files | toJson -}}
{{- end -}}

{{- define "vouch.identity.rules" -}}
{{- $roles := .roles -}}
{{- $root := .root -}}
{{- $v := include "vouch.identity.variables" . | fromJson -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "aws.identity.appthrust.io") "resources" (list "awsworkloadidentityconfigs") "verbs" (list "get" "list" "watch" "patch"))) -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "aws.identity.appthrust.io") "resources" (list "awsworkloadidentityconfigs/status") "verbs" (list "patch"))) -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "aws.identity.appthrust.io") "resources" (list "awsworkloadidentityconfigs/finalizers") "verbs" (list "update"))) -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "aws.identity.appthrust.io") "resources" (list "awsserviceaccountroles") "verbs" (list "get" "list" "watch" "patch" "create" "delete"))) -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "aws.identity.appthrust.io") "resources" (list "awsserviceaccountroles/status") "verbs" (list "patch"))) -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "aws.identity.appthrust.io") "resources" (list "awsserviceaccountrolereplicasets") "verbs" (list "get" "list" "watch" "patch"))) -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "aws.identity.appthrust.io") "resources" (list "awsserviceaccountrolereplicasets/status") "verbs" (list "patch"))) -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "cluster.open-cluster-management.io") "resources" (list "placements") "verbs" (list "get" "list" "watch"))) -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "cluster.open-cluster-management.io") "resources" (list "placementdecisions") "verbs" (list "list" "watch"))) -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "") "resources" (list "namespaces") "verbs" (list "list" "watch"))) -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "aws.identity.appthrust.io") "resources" (list "awsworkloadidentityoperatorconfigs") "verbs" (list "list" "watch"))) -}}
{{- if (not $v.cluster_profile_namespaces_some) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "multicluster.x-k8s.io") "resources" (list "clusterprofiles") "verbs" (list "list" "watch"))) }}{{ end -}}
{{- if (not $v.aws_writer_direct) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "aws.identity.appthrust.io") "resources" (list "awsserviceaccountroles/finalizers") "verbs" (list "update"))) }}{{ end -}}
{{- if (not $v.aws_writer_direct) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "s3.services.k8s.aws") "resources" (list "buckets") "verbs" (list "get" "create" "patch" "delete"))) }}{{ end -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "s3.services.k8s.aws") "resources" (list "buckets") "verbs" (list "list" "watch"))) -}}
{{- if (not $v.aws_writer_direct) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "openidconnectproviders") "verbs" (list "get" "create" "patch" "delete"))) }}{{ end -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "openidconnectproviders") "verbs" (list "list" "watch"))) -}}
{{- if (not $v.aws_writer_direct) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "roles") "verbs" (list "get" "create" "patch" "delete"))) }}{{ end -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "roles") "verbs" (list "list" "watch"))) -}}
{{- if (not $v.aws_writer_direct) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "policies") "verbs" (list "get" "create" "patch" "delete"))) }}{{ end -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "iam.services.k8s.aws") "resources" (list "policies") "verbs" (list "list" "watch"))) -}}
{{- if (not $v.aws_writer_direct) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "podidentityassociations") "verbs" (list "get" "create" "patch" "delete"))) }}{{ end -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "eks.services.k8s.aws") "resources" (list "podidentityassociations") "verbs" (list "list" "watch"))) -}}
{{- if (not $v.aws_writer_direct) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "apiextensions.k8s.io") "resources" (list "customresourcedefinitions") "verbs" (list "list" "watch"))) }}{{ end -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "") "resources" (list "secrets") "verbs" (list "create"))) -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "") "resources" (list "secrets") "verbs" (list "get" "list" "watch" "update" "delete") "resourceNames" (list "awi-signing-key-default"))) -}}
{{- include "vouch.add" (list $roles "" (dict "apiGroups" (list "") "resources" (list "events") "verbs" (list "get" "create" "patch"))) -}}
{{- if $v.cluster_profile_namespaces_some }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "identity" "cluster-profile-namespaces" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "multicluster.x-k8s.io") "resources" (list "clusterprofiles") "verbs" (list "list" "watch"))) }}{{ end }}{{ end -}}
{{- end -}}

{{- define "vouch.identity.objects" -}}
{{- $root := .root -}}
{{- $v := include "vouch.identity.variables" . | fromJson -}}
{{- if true }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  namespace: {{ include "vouch.namespace" $root }}
  name: {{ include "vouch.fullname" $root }}-clusterprofile-provider-file
  labels:
    {{- include "vouch.labels" $root | nindent 4 }}
data:
  config.json: {{ include "vouch.file" (list $root "clusterprofile-provider-file") | toJson }}
{{- end }}
{{- end -}}

{{- define "vouch.identity.webhooks" -}}
{{- $root := .root -}}
{{- $v := include "vouch.identity.variables" . | fromJson -}}
{{- if true }}
{{- $rules := list -}}
{{- $rules = append $rules (fromJson "{\"apiGroups\":[\"aws.identity.appthrust.io\"],\"apiVersions\":[\"v1alpha1\"],\"operations\":[\"DELETE\"],\"resources\":[\"awsworkloadidentityconfigs\"]}") -}}
{{- $rules0 := $rules -}}
{{- $rules := list -}}
{{- $rules = append $rules (fromJson "{\"apiGroups\":[\"aws.identity.appthrust.io\"],\"apiVersions\":[\"v1alpha1\"],\"operations\":[\"CREATE\",\"UPDATE\"],\"resources\":[\"awsserviceaccountroles\"]}") -}}
{{- $rules1 := $rules -}}
{{- $rules := list -}}
{{- $rules = append $rules (fromJson "{\"apiGroups\":[\"aws.identity.appthrust.io\"],\"apiVersions\":[\"v1alpha1\"],\"operations\":[\"CREATE\",\"UPDATE\"],\"resources\":[\"awsserviceaccountrolereplicasets\"]}") -}}
{{- $rules2 := $rules -}}
{{ "\n---" }}
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: {{ include "vouch.fullname" $root }}-validating
  labels:
    {{- include "vouch.labels" $root | nindent 4 }}
{{- with include "vouch.webhookAnnotations" $root }}{{ . | nindent 2 }}{{ end }}
webhooks:
  - name: vawsworkloadidentityconfig.aws.identity.appthrust.io
    rules: {{ $rules0 | toJson }}
    failurePolicy: Fail
    clientConfig:
      service:
        namespace: {{ include "vouch.namespace" $root }}
        name: {{ include "vouch.fullname" $root }}-webhook
        port: 443
        path: /validate-aws-identity-appthrust-io-v1alpha1-awsworkloadidentityconfig
{{- with include "vouch.caBundle" $root }}{{ . | nindent 6 }}{{ end }}
    admissionReviewVersions:
      - v1
    matchPolicy: Equivalent
    sideEffects: None
    timeoutSeconds: 10
  - name: vawsserviceaccountrole.aws.identity.appthrust.io
    rules: {{ $rules1 | toJson }}
    failurePolicy: Fail
    clientConfig:
      service:
        namespace: {{ include "vouch.namespace" $root }}
        name: {{ include "vouch.fullname" $root }}-webhook
        port: 443
        path: /validate-aws-identity-appthrust-io-v1alpha1-awsserviceaccountrole
{{- with include "vouch.caBundle" $root }}{{ . | nindent 6 }}{{ end }}
    admissionReviewVersions:
      - v1
    matchPolicy: Equivalent
    sideEffects: None
    timeoutSeconds: 10
    matchConditions:
      - name: not-the-operators-own-updates
        expression: request.operation != 'UPDATE' || request.userInfo.username != 'system:serviceaccount:{{ include "vouch.namespace" $root }}:{{ include "vouch.accountOf" (list $root "identity") }}'
  - name: vawsserviceaccountrolereplicaset.aws.identity.appthrust.io
    rules: {{ $rules2 | toJson }}
    failurePolicy: Fail
    clientConfig:
      service:
        namespace: {{ include "vouch.namespace" $root }}
        name: {{ include "vouch.fullname" $root }}-webhook
        port: 443
        path: /validate-aws-identity-appthrust-io-v1alpha1-awsserviceaccountrolereplicaset
{{- with include "vouch.caBundle" $root }}{{ . | nindent 6 }}{{ end }}
    admissionReviewVersions:
      - v1
    matchPolicy: Equivalent
    sideEffects: None
    timeoutSeconds: 10
{{- end }}
{{- end -}}

{{- define "vouch.identity.checkFlags" -}}
{{- if or (not (regexMatch "^(children|direct)$" (include "vouch.flag" (list .root "identity" "aws-writer" "children")))) }}{{ fail (printf "identity: in a chart --aws-writer takes children or direct, not %q" (include "vouch.flag" (list .root "identity" "aws-writer" "children"))) }}{{ end -}}
{{- if or (not (regexMatch "^(\\*| *([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?) *(, *([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?) *)*)$" (include "vouch.flag" (list .root "identity" "cluster-profile-namespaces" "")))) (ne (len (splitList "," (nospace (include "vouch.flag" (list .root "identity" "cluster-profile-namespaces" ""))))) (len (uniq (splitList "," (nospace (include "vouch.flag" (list .root "identity" "cluster-profile-namespaces" ""))))))) }}{{ fail (printf "identity: in a chart --cluster-profile-namespaces takes names of namespaces, each once, separated by commas, or * for all, not %q" (include "vouch.flag" (list .root "identity" "cluster-profile-namespaces" ""))) }}{{ end -}}
{{- end -}}
