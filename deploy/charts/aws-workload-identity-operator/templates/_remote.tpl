{{/* What the operator may do on a cluster. Made by `npm run charts`; never edited. */}}
{{- define "vouch.remoteManifests" -}}
- apiVersion: v1
  kind: Namespace
  metadata:
    name: {{ .webhookNamespace }}
    labels:
      app.kubernetes.io/name: pod-identity-webhook
      app.kubernetes.io/managed-by: aws-workload-identity-operator
      aws.identity.appthrust.io/runtime: self-hosted-webhook
- apiVersion: rbac.authorization.k8s.io/v1
  kind: ClusterRole
  metadata:
    name: {{ .name }}
    labels:
      app.kubernetes.io/managed-by: aws-workload-identity-operator
  rules:
    - apiGroups:
        - ''
      resources:
        - serviceaccounts
      verbs:
        - get
        - list
        - watch
        - patch
    - apiGroups:
        - ''
      resources:
        - namespaces
      verbs:
        - get
        - list
        - watch
    - apiGroups:
        - ''
      resources:
        - namespaces
      verbs:
        - update
      resourceNames:
        - {{ .webhookNamespace }}
    - apiGroups:
        - ''
      resources:
        - secrets
      verbs:
        - list
        - watch
      resourceNames:
        - pod-identity-webhook
        - pod-identity-webhook-ca
    - apiGroups:
        - ''
      resources:
        - services
      verbs:
        - list
        - watch
    - apiGroups:
        - apps
      resources:
        - deployments
      verbs:
        - list
        - watch
    - apiGroups:
        - rbac.authorization.k8s.io
      resources:
        - clusterroles
      verbs:
        - list
        - watch
        - create
    - apiGroups:
        - rbac.authorization.k8s.io
      resources:
        - clusterroles
      verbs:
        - get
        - update
        - delete
      resourceNames:
        - pod-identity-webhook
    - apiGroups:
        - rbac.authorization.k8s.io
      resources:
        - clusterrolebindings
      verbs:
        - list
        - watch
        - create
    - apiGroups:
        - rbac.authorization.k8s.io
      resources:
        - clusterrolebindings
      verbs:
        - get
        - update
        - delete
      resourceNames:
        - pod-identity-webhook
    - apiGroups:
        - admissionregistration.k8s.io
      resources:
        - mutatingwebhookconfigurations
      verbs:
        - list
        - watch
        - create
    - apiGroups:
        - admissionregistration.k8s.io
      resources:
        - mutatingwebhookconfigurations
      verbs:
        - get
        - update
        - delete
      resourceNames:
        - pod-identity-webhook
- apiVersion: rbac.authorization.k8s.io/v1
  kind: ClusterRoleBinding
  metadata:
    name: {{ .name }}
    labels:
      app.kubernetes.io/managed-by: aws-workload-identity-operator
  roleRef:
    apiGroup: rbac.authorization.k8s.io
    kind: ClusterRole
    name: {{ .name }}
  subjects:
    - kind: ServiceAccount
      namespace: {{ .accountNamespace }}
      name: {{ .account }}
- apiVersion: rbac.authorization.k8s.io/v1
  kind: Role
  metadata:
    namespace: {{ .webhookNamespace }}
    name: {{ .name }}
    labels:
      app.kubernetes.io/managed-by: aws-workload-identity-operator
  rules:
    - apiGroups:
        - ''
      resources:
        - secrets
      verbs:
        - create
    - apiGroups:
        - ''
      resources:
        - serviceaccounts
      verbs:
        - create
    - apiGroups:
        - ''
      resources:
        - services
      verbs:
        - create
    - apiGroups:
        - apps
      resources:
        - deployments
      verbs:
        - create
    - apiGroups:
        - ''
      resources:
        - secrets
      verbs:
        - get
        - update
        - delete
      resourceNames:
        - pod-identity-webhook
        - pod-identity-webhook-ca
    - apiGroups:
        - ''
      resources:
        - serviceaccounts
      verbs:
        - delete
      resourceNames:
        - pod-identity-webhook
    - apiGroups:
        - ''
      resources:
        - serviceaccounts/token
      verbs:
        - create
      resourceNames:
        - pod-identity-webhook
    - apiGroups:
        - ''
      resources:
        - services
      verbs:
        - get
        - update
        - delete
      resourceNames:
        - pod-identity-webhook
    - apiGroups:
        - apps
      resources:
        - deployments
      verbs:
        - get
        - update
        - delete
      resourceNames:
        - pod-identity-webhook
- apiVersion: rbac.authorization.k8s.io/v1
  kind: RoleBinding
  metadata:
    namespace: {{ .webhookNamespace }}
    name: {{ .name }}
    labels:
      app.kubernetes.io/managed-by: aws-workload-identity-operator
  roleRef:
    apiGroup: rbac.authorization.k8s.io
    kind: Role
    name: {{ .name }}
  subjects:
    - kind: ServiceAccount
      namespace: {{ .accountNamespace }}
      name: {{ .account }}
{{- end -}}
