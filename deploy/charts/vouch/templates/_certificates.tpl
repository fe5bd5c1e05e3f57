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
{{- $_ := set $v "enable_publishing_true" (eq (include "vouch.flag" (list .root "certificates" "enable-publishing" "false")) "true") -}}
{{- $_ := set $v "enable_cert_policy_true" (eq (include "vouch.flag" (list .root "certificates" "enable-cert-policy" "false")) "true") -}}
{{- if ne (include "vouch.flag" (list .root "certificates" "enable-export" "false")) "false" }}{{ fail "certificates: rights and kinds follow --enable-export, which a chart cannot work out; print the manifests by vouch render" }}{{ end -}}
{{- if ne (include "vouch.flag" (list .root "certificates" "export-namespaces" "")) "" }}{{ fail "certificates: rights and kinds follow --export-namespaces, which a chart cannot work out; print the manifests by vouch render" }}{{ end -}}
{{- $_ := set $v "monitoring_prometheus" (eq (include "vouch.flag" (list .root "certificates" "monitoring" "none")) "prometheus") -}}
{{- $v | toJson -}}
{{- end -}}

{{- define "vouch.certificates.mounts" -}}
{{- $root := .root -}}
[{"name":"certificate-zones","mountPath":"/etc/cert-operator/zones","configMap":"{{ include "vouch.fullname" $root }}-certificate-zones"}]
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
{{- if $v.enable_cert_policy_true }}{{ $files = append $files "certpolicies.acm.ops.example.dev.yaml" }}{{ end -}}
{{- $files | toJson -}}
{{- end -}}

{{- define "vouch.certificates.rules" -}}
{{- $roles := .roles -}}
{{- $root := .root -}}
{{- $v := include "vouch.certificates.variables" . | fromJson -}}
{{- if (not $v.namespaces_some) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "acm.ops.example.dev") "resources" (list "certs") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end -}}
{{- if (not $v.namespaces_some) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "acm.ops.example.dev") "resources" (list "certs/status") "verbs" (list "patch"))) }}{{ end -}}
{{- if (not $v.namespaces_some) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "") "resources" (list "events") "verbs" (list "get" "create" "patch"))) }}{{ end -}}
{{- if $v.enable_cert_policy_true }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "acm.ops.example.dev") "resources" (list "certpolicies") "verbs" (list "get" "list" "watch"))) }}{{ end -}}
{{- if $v.enable_cert_policy_true }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "") "resources" (list "namespaces") "verbs" (list "get" "list" "watch"))) }}{{ end -}}
{{- if (and (not $v.namespaces_some) $v.enable_publishing_true) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "networking.k8s.io") "resources" (list "ingresses") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end -}}
{{- if (and (not $v.namespaces_some) $v.enable_publishing_true) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "") "resources" (list "services") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end -}}
{{- if (and (not $v.namespaces_some) $v.enable_publishing_true) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "gateway.networking.k8s.io") "resources" (list "gateways") "verbs" (list "get" "list" "watch" "update"))) }}{{ end -}}
{{- if (and (not $v.namespaces_some) $v.enable_publishing_true) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "gateway.k8s.aws") "resources" (list "loadbalancerconfigurations") "verbs" (list "get" "list" "watch" "update"))) }}{{ end -}}
{{- if (and (not $v.namespaces_some) $v.enable_publishing_true) }}{{ include "vouch.add" (list $roles "" (dict "apiGroups" (list "") "resources" (list "configmaps") "verbs" (list "get" "list" "watch" "create" "patch" "delete"))) }}{{ end -}}
{{- if $v.namespaces_some }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "certificates" "namespaces" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "acm.ops.example.dev") "resources" (list "certs") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end }}{{ end -}}
{{- if $v.namespaces_some }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "certificates" "namespaces" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "acm.ops.example.dev") "resources" (list "certs/status") "verbs" (list "patch"))) }}{{ end }}{{ end -}}
{{- if $v.namespaces_some }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "certificates" "namespaces" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "") "resources" (list "events") "verbs" (list "get" "create" "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.namespaces_some $v.enable_publishing_true) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "certificates" "namespaces" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "networking.k8s.io") "resources" (list "ingresses") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.namespaces_some $v.enable_publishing_true) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "certificates" "namespaces" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "") "resources" (list "services") "verbs" (list "get" "list" "watch" "patch"))) }}{{ end }}{{ end -}}
{{- if (and $v.namespaces_some $v.enable_publishing_true) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "certificates" "namespaces" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "gateway.networking.k8s.io") "resources" (list "gateways") "verbs" (list "get" "list" "watch" "update"))) }}{{ end }}{{ end -}}
{{- if (and $v.namespaces_some $v.enable_publishing_true) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "certificates" "namespaces" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "gateway.k8s.aws") "resources" (list "loadbalancerconfigurations") "verbs" (list "get" "list" "watch" "update"))) }}{{ end }}{{ end -}}
{{- if (and $v.namespaces_some $v.enable_publishing_true) }}{{ range $namespace := uniq (splitList "," (nospace (include "vouch.flag" (list $root "certificates" "namespaces" "")))) }}{{ include "vouch.add" (list $roles $namespace (dict "apiGroups" (list "") "resources" (list "configmaps") "verbs" (list "get" "list" "watch" "create" "patch" "delete"))) }}{{ end }}{{ end -}}
{{- end -}}

{{- define "vouch.certificates.objects" -}}
{{- $root := .root -}}
{{- $v := include "vouch.certificates.variables" . | fromJson -}}
{{- if true }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  namespace: {{ include "vouch.namespace" $root }}
  name: {{ include "vouch.fullname" $root }}-certificate-zones
  labels:
    {{- include "vouch.labels" $root | nindent 4 }}
data:
  zones.yaml: {{ include "vouch.file" (list $root "zone-config-file") | toJson }}
{{- end }}
{{- if (not $v.enable_cert_policy_true) }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: {{ include "vouch.fullname" $root }}-certs-view
  labels:
    {{- include "vouch.labels" $root | nindent 4 }}
    rbac.authorization.k8s.io/aggregate-to-view: 'true'
rules:
  - apiGroups:
      - acm.ops.example.dev
    resources:
      - certs
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - acm.ops.example.dev
    resources:
      - certs/status
    verbs:
      - get
{{- end }}
{{- if true }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: {{ include "vouch.fullname" $root }}-certs-edit
  labels:
    {{- include "vouch.labels" $root | nindent 4 }}
    rbac.authorization.k8s.io/aggregate-to-edit: 'true'
rules:
  - apiGroups:
      - acm.ops.example.dev
    resources:
      - certs
    verbs:
      - create
      - update
      - patch
      - delete
      - deletecollection
{{- end }}
{{- if $v.monitoring_prometheus }}
---
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: {{ include "vouch.fullname" $root }}-certificates
  namespace: {{ include "vouch.namespace" $root }}
  labels:
    {{- include "vouch.labels" $root | nindent 4 }}
spec:
  groups:
    - name: cert-operator
      rules:
        - alert: CertificateExpiringSoon
          expr: cert_operator_certificate_expiry_days < 14 and cert_operator_certificate_expiry_days > 0
          for: 1h
          labels:
            severity: warning
          annotations:
            summary: The certificate of Cert {{ "{{" }} $labels.namespace }}/{{ "{{" }} $labels.name }} ends in {{ "{{" }} $value }} days
            runbook: docs/guides/certificate-alerts.md#certificateexpiringsoon
        - alert: CertificateExpiryCritical
          expr: cert_operator_certificate_expiry_days <= 7 and cert_operator_certificate_expiry_days > 0
          for: 30m
          labels:
            severity: critical
          annotations:
            summary: The certificate of Cert {{ "{{" }} $labels.namespace }}/{{ "{{" }} $labels.name }} ends in {{ "{{" }} $value }} days
            runbook: docs/guides/certificate-alerts.md#certificateexpirycritical
        - alert: AWSAPIThrottlingHigh
          expr: rate(cert_operator_throttling_events_total[5m]) > 0.1
          for: 5m
          labels:
            severity: warning
          annotations:
            summary: AWS throttles {{ "{{" }} $labels.operation }}
            runbook: docs/guides/certificate-alerts.md#awsapithrottlinghigh
        - alert: CertificatesFailed
          expr: cert_operator_certificates_total{state="Failed"} > 0
          for: 15m
          labels:
            severity: warning
          annotations:
            summary: '{{ "{{" }} $value }} Certs have failed'
            runbook: docs/guides/certificate-alerts.md#certificatesfailed
        - alert: HighReconciliationErrorRate
          expr: sum(rate(cert_operator_reconcile_duration_seconds_count{success="false"}[5m])) / sum(rate(cert_operator_reconcile_duration_seconds_count[5m])) > 0.1
          for: 10m
          labels:
            severity: warning
          annotations:
            summary: More than a tenth of the passes over Certs fail
            runbook: docs/guides/certificate-alerts.md#highreconciliationerrorrate
        - alert: CertificateExpired
          expr: cert_operator_certificates_expired > 0
          for: 5m
          labels:
            severity: critical
          annotations:
            summary: '{{ "{{" }} $value }} certificates are past their end'
            runbook: docs/guides/certificate-alerts.md#certificateexpired
        - alert: CertificateRenewalUnhealthy
          expr: sum(cert_operator_renewal_unhealthy) > 0
          for: 1h
          labels:
            severity: warning
          annotations:
            summary: '{{ "{{" }} $value }} certificates are not renewed as a matter of course'
            runbook: docs/guides/certificate-alerts.md#certificaterenewalunhealthy
        - alert: CertificateStuck
          expr: cert_operator_oldest_in_state_seconds{state=~"Pending|Created|Validated"} > 7200
          for: 15m
          labels:
            severity: warning
          annotations:
            summary: A Cert has been {{ "{{" }} $labels.state }} for more than two hours
            runbook: docs/guides/certificate-alerts.md#certificatestuck
        - alert: AWSCircuitOpen
          expr: max by (service) (cert_operator_circuit_breaker_state) == 2
          for: 5m
          labels:
            severity: critical
          annotations:
            summary: '{{ "{{" }} $labels.service }} does not answer, and is not called for a while'
            runbook: docs/guides/certificate-alerts.md#awscircuitopen
        - alert: ExpiryTrackingOverflow
          expr: cert_operator_certificates_not_tracked > 0
          for: 30m
          labels:
            severity: warning
          annotations:
            summary: '{{ "{{" }} $value }} certificates that end soon have no series of their own'
            runbook: docs/guides/certificate-alerts.md#expirytrackingoverflow
        - alert: WebhookFailingOpen
          expr: increase(cert_operator_webhook_fail_open_total[10m]) > 0
          for: 0m
          labels:
            severity: warning
          annotations:
            summary: Certs are let through without a check
            runbook: docs/guides/certificate-alerts.md#webhookfailingopen
        - alert: CertOperatorNoLeader
          expr: sum(cert_operator_leader) != 1
          for: 5m
          labels:
            severity: critical
          annotations:
            summary: '{{ "{{" }} $value }} processes lead the certificate operator, where exactly one has to'
            runbook: docs/guides/certificate-alerts.md#certoperatornoleader
{{- end }}
{{- if $v.monitoring_prometheus }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ include "vouch.fullname" $root }}-certificates-dashboard
  namespace: {{ include "vouch.namespace" $root }}
  labels:
    {{- include "vouch.labels" $root | nindent 4 }}
    grafana_dashboard: '1'
data:
  certificates.json: |
    {
      "uid": "vouch-certificates",
      "title": "Certificates",
      "schemaVersion": 39,
      "version": 1,
      "time": {
        "from": "now-24h",
        "to": "now"
      },
      "templating": {
        "list": [
          {
            "name": "datasource",
            "type": "datasource",
            "query": "prometheus"
          }
        ]
      },
      "panels": [
        {
          "id": 1,
          "type": "timeseries",
          "title": "Certs by state",
          "datasource": {
            "type": "prometheus",
            "uid": "$datasource"
          },
          "fieldConfig": {
            "defaults": {
              "unit": "short"
            },
            "overrides": []
          },
          "gridPos": {
            "x": 0,
            "y": 0,
            "w": 8,
            "h": 8
          },
          "targets": [
            {
              "refId": "A",
              "datasource": {
                "type": "prometheus",
                "uid": "$datasource"
              },
              "expr": "sum by (state) (cert_operator_certificates_total)",
              "legendFormat": "{{ "{{" }}state}}"
            }
          ]
        },
        {
          "id": 2,
          "type": "timeseries",
          "title": "Certificates by days left",
          "datasource": {
            "type": "prometheus",
            "uid": "$datasource"
          },
          "fieldConfig": {
            "defaults": {
              "unit": "short"
            },
            "overrides": []
          },
          "gridPos": {
            "x": 8,
            "y": 0,
            "w": 8,
            "h": 8
          },
          "targets": [
            {
              "refId": "A",
              "datasource": {
                "type": "prometheus",
                "uid": "$datasource"
              },
              "expr": "sum by (bucket) (cert_operator_certificate_expiry_buckets)",
              "legendFormat": "{{ "{{" }}bucket}}"
            },
            {
              "refId": "B",
              "datasource": {
                "type": "prometheus",
                "uid": "$datasource"
              },
              "expr": "sum(cert_operator_certificates_expired)",
              "legendFormat": "expired"
            }
          ]
        },
        {
          "id": 3,
          "type": "timeseries",
          "title": "The ten that end first",
          "datasource": {
            "type": "prometheus",
            "uid": "$datasource"
          },
          "fieldConfig": {
            "defaults": {
              "unit": "d"
            },
            "overrides": []
          },
          "gridPos": {
            "x": 16,
            "y": 0,
            "w": 8,
            "h": 8
          },
          "targets": [
            {
              "refId": "A",
              "datasource": {
                "type": "prometheus",
                "uid": "$datasource"
              },
              "expr": "bottomk(10, cert_operator_certificate_expiry_days)",
              "legendFormat": "{{ "{{" }}namespace}}/{{ "{{" }}name}}"
            }
          ]
        },
        {
          "id": 4,
          "type": "timeseries",
          "title": "Renewal and deletion",
          "datasource": {
            "type": "prometheus",
            "uid": "$datasource"
          },
          "fieldConfig": {
            "defaults": {
              "unit": "short"
            },
            "overrides": []
          },
          "gridPos": {
            "x": 0,
            "y": 8,
            "w": 8,
            "h": 8
          },
          "targets": [
            {
              "refId": "A",
              "datasource": {
                "type": "prometheus",
                "uid": "$datasource"
              },
              "expr": "sum by (reason) (cert_operator_renewal_unhealthy)",
              "legendFormat": "{{ "{{" }}reason}}"
            },
            {
              "refId": "B",
              "datasource": {
                "type": "prometheus",
                "uid": "$datasource"
              },
              "expr": "sum(cert_operator_deletions_blocked)",
              "legendFormat": "deletions blocked"
            }
          ]
        },
        {
          "id": 5,
          "type": "timeseries",
          "title": "Time to Ready",
          "datasource": {
            "type": "prometheus",
            "uid": "$datasource"
          },
          "fieldConfig": {
            "defaults": {
              "unit": "s"
            },
            "overrides": []
          },
          "gridPos": {
            "x": 8,
            "y": 8,
            "w": 8,
            "h": 8
          },
          "targets": [
            {
              "refId": "A",
              "datasource": {
                "type": "prometheus",
                "uid": "$datasource"
              },
              "expr": "histogram_quantile(0.5, sum by (le) (rate(cert_operator_time_to_ready_seconds_bucket[1h])))",
              "legendFormat": "half"
            },
            {
              "refId": "B",
              "datasource": {
                "type": "prometheus",
                "uid": "$datasource"
              },
              "expr": "histogram_quantile(0.9, sum by (le) (rate(cert_operator_time_to_ready_seconds_bucket[1h])))",
              "legendFormat": "nine of ten"
            }
          ]
        },
        {
          "id": 6,
          "type": "timeseries",
          "title": "Calls of AWS",
          "datasource": {
            "type": "prometheus",
            "uid": "$datasource"
          },
          "fieldConfig": {
            "defaults": {
              "unit": "ops"
            },
            "overrides": []
          },
          "gridPos": {
            "x": 16,
            "y": 8,
            "w": 8,
            "h": 8
          },
          "targets": [
            {
              "refId": "A",
              "datasource": {
                "type": "prometheus",
                "uid": "$datasource"
              },
              "expr": "sum by (operation, success) (rate(cert_operator_aws_api_calls_total[5m]))",
              "legendFormat": "{{ "{{" }}operation}} {{ "{{" }}success}}"
            },
            {
              "refId": "B",
              "datasource": {
                "type": "prometheus",
                "uid": "$datasource"
              },
              "expr": "sum by (operation) (rate(cert_operator_throttling_events_total[5m]))",
              "legendFormat": "throttled {{ "{{" }}operation}}"
            }
          ]
        },
        {
          "id": 7,
          "type": "timeseries",
          "title": "Time of calls of AWS",
          "datasource": {
            "type": "prometheus",
            "uid": "$datasource"
          },
          "fieldConfig": {
            "defaults": {
              "unit": "s"
            },
            "overrides": []
          },
          "gridPos": {
            "x": 0,
            "y": 16,
            "w": 8,
            "h": 8
          },
          "targets": [
            {
              "refId": "A",
              "datasource": {
                "type": "prometheus",
                "uid": "$datasource"
              },
              "expr": "histogram_quantile(0.9, sum by (le, operation) (rate(cert_operator_aws_api_latency_seconds_bucket[5m])))",
              "legendFormat": "{{ "{{" }}operation}}"
            }
          ]
        },
        {
          "id": 8,
          "type": "timeseries",
          "title": "CallBuckets",
          "datasource": {
            "type": "prometheus",
            "uid": "$datasource"
          },
          "fieldConfig": {
            "defaults": {
              "unit": "s"
            },
            "overrides": []
          },
          "gridPos": {
            "x": 8,
            "y": 16,
            "w": 8,
            "h": 8
          },
          "targets": [
            {
              "refId": "A",
              "datasource": {
                "type": "prometheus",
                "uid": "$datasource"
              },
              "expr": "histogram_quantile(0.9, sum by (le, service) (rate(cert_operator_rate_limit_wait_seconds_bucket[5m])))",
              "legendFormat": "wait {{ "{{" }}service}}"
            },
            {
              "refId": "B",
              "datasource": {
                "type": "prometheus",
                "uid": "$datasource"
              },
              "expr": "min by (service) (cert_operator_rate_limiter_tokens)",
              "legendFormat": "tokens {{ "{{" }}service}}"
            }
          ]
        },
        {
          "id": 9,
          "type": "timeseries",
          "title": "Memory of answers",
          "datasource": {
            "type": "prometheus",
            "uid": "$datasource"
          },
          "fieldConfig": {
            "defaults": {
              "unit": "short"
            },
            "overrides": []
          },
          "gridPos": {
            "x": 16,
            "y": 16,
            "w": 8,
            "h": 8
          },
          "targets": [
            {
              "refId": "A",
              "datasource": {
                "type": "prometheus",
                "uid": "$datasource"
              },
              "expr": "sum(rate(cert_operator_cache_hits_total[5m])) / (sum(rate(cert_operator_cache_hits_total[5m])) + sum(rate(cert_operator_cache_misses_total[5m])))",
              "legendFormat": "share of hits"
            },
            {
              "refId": "B",
              "datasource": {
                "type": "prometheus",
                "uid": "$datasource"
              },
              "expr": "sum(cert_operator_cache_entries)",
              "legendFormat": "entries"
            }
          ]
        },
        {
          "id": 10,
          "type": "timeseries",
          "title": "Breakers",
          "datasource": {
            "type": "prometheus",
            "uid": "$datasource"
          },
          "fieldConfig": {
            "defaults": {
              "unit": "short"
            },
            "overrides": []
          },
          "gridPos": {
            "x": 0,
            "y": 24,
            "w": 8,
            "h": 8
          },
          "targets": [
            {
              "refId": "A",
              "datasource": {
                "type": "prometheus",
                "uid": "$datasource"
              },
              "expr": "max by (service) (cert_operator_circuit_breaker_state)",
              "legendFormat": "{{ "{{" }}service}}"
            }
          ]
        },
        {
          "id": 11,
          "type": "timeseries",
          "title": "Webhook",
          "datasource": {
            "type": "prometheus",
            "uid": "$datasource"
          },
          "fieldConfig": {
            "defaults": {
              "unit": "ops"
            },
            "overrides": []
          },
          "gridPos": {
            "x": 8,
            "y": 24,
            "w": 8,
            "h": 8
          },
          "targets": [
            {
              "refId": "A",
              "datasource": {
                "type": "prometheus",
                "uid": "$datasource"
              },
              "expr": "sum by (result) (rate(cert_operator_webhook_requests_total[5m]))",
              "legendFormat": "{{ "{{" }}result}}"
            },
            {
              "refId": "B",
              "datasource": {
                "type": "prometheus",
                "uid": "$datasource"
              },
              "expr": "sum(rate(cert_operator_webhook_fail_open_total[5m]))",
              "legendFormat": "let through"
            }
          ]
        },
        {
          "id": 12,
          "type": "timeseries",
          "title": "Passes",
          "datasource": {
            "type": "prometheus",
            "uid": "$datasource"
          },
          "fieldConfig": {
            "defaults": {
              "unit": "ops"
            },
            "overrides": []
          },
          "gridPos": {
            "x": 16,
            "y": 24,
            "w": 8,
            "h": 8
          },
          "targets": [
            {
              "refId": "A",
              "datasource": {
                "type": "prometheus",
                "uid": "$datasource"
              },
              "expr": "sum by (state, success) (rate(cert_operator_reconcile_duration_seconds_count[5m]))",
              "legendFormat": "{{ "{{" }}state}} {{ "{{" }}success}}"
            }
          ]
        }
      ]
    }
{{- end }}
{{- if $v.enable_cert_policy_true }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: {{ include "vouch.fullname" $root }}-certs-view
  labels:
    {{- include "vouch.labels" $root | nindent 4 }}
    rbac.authorization.k8s.io/aggregate-to-view: 'true'
rules:
  - apiGroups:
      - acm.ops.example.dev
    resources:
      - certs
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - acm.ops.example.dev
    resources:
      - certs/status
    verbs:
      - get
  - apiGroups:
      - acm.ops.example.dev
    resources:
      - certpolicies
    verbs:
      - get
      - list
      - watch
{{- end }}
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
{{- if not (or (include "vouch.flag" (list .root "certificates" "aws-region" "")) (regexMatch "(?m)^--?aws-region(=|$)" (join "\n" .root.Values.operator.extraArgs))) }}{{ fail "the operator certificates needs --aws-region: the region in which certificates are requested" }}{{ end -}}
{{- if not (or (include "vouch.flag" (list .root "certificates" "dns-zones" "")) (regexMatch "(?m)^--?dns-zones(=|$)" (join "\n" .root.Values.operator.extraArgs)) (ne (trim (include "vouch.file" (list .root "zone-config-file"))) "[]")) }}{{ fail "the operator certificates needs --dns-zones or a zone file: the hosted zones in which names are proven" }}{{ end -}}
{{- if or (not (regexMatch "^(| *([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?) *(, *([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?) *)*)$" (include "vouch.flag" (list .root "certificates" "namespaces" "")))) (ne (len (splitList "," (nospace (include "vouch.flag" (list .root "certificates" "namespaces" ""))))) (len (uniq (splitList "," (nospace (include "vouch.flag" (list .root "certificates" "namespaces" ""))))))) }}{{ fail (printf "certificates: in a chart --namespaces takes names of namespaces, each once, separated by commas, not %q" (include "vouch.flag" (list .root "certificates" "namespaces" ""))) }}{{ end -}}
{{- if or (not (regexMatch "^(true|false)$" (include "vouch.flag" (list .root "certificates" "webhook-enabled" "true")))) }}{{ fail (printf "certificates: in a chart --webhook-enabled takes true or false, not %q" (include "vouch.flag" (list .root "certificates" "webhook-enabled" "true"))) }}{{ end -}}
{{- if or (not (regexMatch "^(true|false)$" (include "vouch.flag" (list .root "certificates" "webhook-fail-closed" "true")))) }}{{ fail (printf "certificates: in a chart --webhook-fail-closed takes true or false, not %q" (include "vouch.flag" (list .root "certificates" "webhook-fail-closed" "true"))) }}{{ end -}}
{{- if or (not (regexMatch "^(false|true)$" (include "vouch.flag" (list .root "certificates" "enable-publishing" "false")))) }}{{ fail (printf "certificates: in a chart --enable-publishing takes false or true, not %q" (include "vouch.flag" (list .root "certificates" "enable-publishing" "false"))) }}{{ end -}}
{{- if or (not (regexMatch "^(false|true)$" (include "vouch.flag" (list .root "certificates" "enable-cert-policy" "false")))) }}{{ fail (printf "certificates: in a chart --enable-cert-policy takes false or true, not %q" (include "vouch.flag" (list .root "certificates" "enable-cert-policy" "false"))) }}{{ end -}}
{{- if or (not (regexMatch "^(none|prometheus)$" (include "vouch.flag" (list .root "certificates" "monitoring" "none")))) }}{{ fail (printf "certificates: in a chart --monitoring takes none or prometheus, not %q" (include "vouch.flag" (list .root "certificates" "monitoring" "none"))) }}{{ end -}}
{{- end -}}
