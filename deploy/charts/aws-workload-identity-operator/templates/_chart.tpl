{{/* What the values of this chart say, as src/operators/identity/manifests/chart.ts reads them. */}}

{{- define "vouch.operators" -}}["identity"]{{- end -}}

{{- define "vouch.profileNamespaces" -}}
{{- $names := .Values.clusterInventory.clusterProfileNamespaces -}}
{{- if has "" $names -}}{{- fail "clusterInventory.clusterProfileNamespaces has an empty entry" -}}{{- end -}}
{{- if and (has "*" $names) (gt (len $names) 1) -}}{{- fail "clusterInventory.clusterProfileNamespaces has * beside names" -}}{{- end -}}
{{- if $names -}}{{- join "," $names -}}{{- else -}}{{- include "vouch.namespace" . -}}{{- end -}}
{{- end -}}

{{/* (list . OPERATOR): the flags on which rights rest, out of the values and what a person adds to them. */}}
{{- define "vouch.flags" -}}
{{- $root := index . 0 -}}
{{- $flags := dict "cluster-profile-namespaces" (include "vouch.profileNamespaces" $root) -}}
{{- range $argument := $root.Values.operator.extraArgs -}}
{{- if hasPrefix "--aws-writer=" $argument -}}{{- $_ := set $flags "aws-writer" (trimPrefix "--aws-writer=" $argument) -}}{{- end -}}
{{- end -}}
{{- $flags | toJson -}}
{{- end -}}

{{/* (list . FLAG): the provider file. Each program has to come from a plugin: nothing else is in the container. */}}
{{- define "vouch.file" -}}
{{- $root := index . 0 -}}
{{- $inventory := $root.Values.clusterInventory -}}
{{- if not $inventory.plugins -}}
{{- fail "clusterInventory.plugins: at least one is needed, for the programs of the providers" -}}
{{- end -}}
{{- $execConfig := dict "apiVersion" "client.authentication.k8s.io/v1" "command" "/plugins/cp-creds" "args" (list (printf "--managed-serviceaccount=%s" $root.Values.ocm.managedServiceAccount.name)) "provideClusterInfo" true "interactiveMode" "Never" -}}
{{- $providers := concat (list (dict "name" "open-cluster-management" "execConfig" $execConfig)) $inventory.accessProviders -}}
{{- $seen := list -}}
{{- range $provider := $providers -}}
{{- if not $provider.name -}}{{- fail "clusterInventory.accessProviders: a provider has no name" -}}{{- end -}}
{{- if has $provider.name $seen -}}{{- fail (printf "duplicate Cluster Inventory access-provider name %q" $provider.name) -}}{{- end -}}
{{- $seen = append $seen $provider.name -}}
{{- $command := (default dict $provider.execConfig).command -}}
{{- if not $command -}}{{- fail (printf "clusterInventory.accessProviders: %s has no execConfig.command" $provider.name) -}}{{- end -}}
{{- $isThere := false -}}
{{- range $plugin := $inventory.plugins -}}
{{- if or (eq $command $plugin.mountPath) (hasPrefix (printf "%s/" (trimSuffix "/" $plugin.mountPath)) $command) -}}{{- $isThere = true -}}{{- end -}}
{{- end -}}
{{- if not $isThere -}}{{- fail (printf "the command %s of provider %s does not live under the mountPath of a plugin" $command $provider.name) -}}{{- end -}}
{{- end -}}
{{- dict "providers" $providers | toRawJson -}}
{{- end -}}

{{/* `key=value`, percent-encoded; what a person says wins. */}}
{{- define "vouch.resourceAttributes" -}}
{{- $resource := .Values.logging.resource -}}
{{- $all := dict "service.name" $resource.serviceName "service.namespace" $resource.serviceNamespace "service.version" (default .Chart.AppVersion $resource.serviceVersion) -}}
{{- with $resource.deploymentEnvironmentName -}}{{- $_ := set $all "deployment.environment.name" . -}}{{- end -}}
{{- $all = merge (deepCopy $resource.attributes) $all -}}
{{- $pairs := list -}}
{{- range $key, $value := $all -}}
{{- $pairs = append $pairs (printf "%s=%s" $key (urlquery $value | replace "+" "%20")) -}}
{{- end -}}
{{- join "," $pairs -}}
{{- end -}}

{{- define "vouch.pairs" -}}
{{- $pairs := list -}}
{{- range $key, $value := . -}}{{- $pairs = append $pairs (printf "%s=%s" $key $value) -}}{{- end -}}
{{- join "," $pairs -}}
{{- end -}}

{{- define "vouch.args" -}}
{{- $logging := .Values.logging -}}
{{- $unsafe := .Values.aws.allowUnsafeEndpointURLs | ternary (list "--allow-unsafe-aws-endpoint-urls") list -}}
{{- concat (list
  "--clusterprofile-provider-file=/etc/cluster-inventory/config.json"
  (printf "--cluster-profile-namespaces=%s" (include "vouch.profileNamespaces" .))
  (printf "--pod-identity-webhook-image=%s" .Values.operator.podIdentityWebhookImage)
  "--aws-endpoint-url"
  "$(AWS_ENDPOINT_URL)"
) $unsafe (list
  (printf "--log-level=%s" $logging.level)
  (printf "--log-exporter=%s" $logging.exporter)
  (printf "--log-add-source=%t" $logging.addSource)
  (printf "--log-resource-attributes=%s" (include "vouch.resourceAttributes" .))
) | toJson -}}
{{- end -}}

{{- define "vouch.env" -}}
{{- with .Values.aws -}}
{{- if .endpointURL -}}
{{- if not (regexMatch "^https?://[^/]+" .endpointURL) -}}{{- fail (printf "aws.endpointURL: %s is no URL with a host" .endpointURL) -}}{{- end -}}
{{- if and (hasPrefix "http:" .endpointURL) (not .allowUnsafeEndpointURLs) -}}
{{- fail "aws.endpointURL is http, over which credentials travel in the clear; use https, or aws.allowUnsafeEndpointURLs" -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $resource := .Values.logging.resource -}}
{{- $otlp := .Values.logging.otlp -}}
{{- $name := hasKey $resource.attributes "service.name" | ternary (get $resource.attributes "service.name") $resource.serviceName -}}
{{- $env := list
  (dict "name" "AWS_ENDPOINT_URL" "value" .Values.aws.endpointURL)
  (dict "name" "OTEL_SERVICE_NAME" "value" $name)
  (dict "name" "OTEL_RESOURCE_ATTRIBUTES" "value" (include "vouch.resourceAttributes" .))
  (dict "name" "OTEL_LOGS_EXPORTER" "value" .Values.logging.exporter) -}}
{{- $some := list
  (list "ENDPOINT" $otlp.endpoint) (list "LOGS_ENDPOINT" $otlp.logsEndpoint)
  (list "PROTOCOL" $otlp.protocol) (list "LOGS_PROTOCOL" $otlp.logsProtocol)
  (list "INSECURE" ($otlp.insecure | ternary "true" "")) (list "LOGS_INSECURE" ($otlp.logsInsecure | ternary "true" ""))
  (list "HEADERS" (include "vouch.pairs" $otlp.headers)) (list "LOGS_HEADERS" (include "vouch.pairs" $otlp.logsHeaders)) -}}
{{- range $pair := $some -}}
{{- if index $pair 1 -}}
{{- $env = append $env (dict "name" (printf "OTEL_EXPORTER_OTLP_%s" (index $pair 0)) "value" (index $pair 1)) -}}
{{- end -}}
{{- end -}}
{{- $env | toJson -}}
{{- end -}}

{{- define "vouch.volumes" -}}
{{- $volumes := list -}}
{{- range $plugin := .Values.clusterInventory.plugins -}}
{{- if not (regexMatch "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$" $plugin.name) -}}
{{- fail (printf "clusterInventory.plugins: %s is no name of a plugin" $plugin.name) -}}
{{- end -}}
{{- $image := dict "reference" $plugin.image -}}
{{- if $plugin.pullPolicy -}}{{- $_ := set $image "pullPolicy" $plugin.pullPolicy -}}{{- end -}}
{{- $volumes = append $volumes (dict "mountPath" $plugin.mountPath "volume" (dict "name" (printf "plugin-%s" $plugin.name) "image" $image)) -}}
{{- end -}}
{{- $volumes | toJson -}}
{{- end -}}

{{/* The pods start anew when the provider file changes: it is read once, at the start. */}}
{{- define "vouch.podAnnotations" -}}
{{- dict "checksum/clusterprofile-provider-file" (include "vouch.file" (list . "clusterprofile-provider-file") | sha256sum) | toJson -}}
{{- end -}}

{{- define "vouch.remoteWebhookNamespace" -}}
{{- $said := .Values.ocm.managedServiceAccount.remotePermissions.webhookNamespace -}}
{{- $config := .Values.operatorConfig -}}
{{- $ofConfig := $config.create | ternary (default dict $config.spec.selfHostedIRSA).webhookNamespace "" -}}
{{- coalesce $said $ofConfig "aws-pod-identity-webhook" -}}
{{- end -}}

{{/* Refuses flags that the manifests decide or that nobody knows, and those on which rights rest in a form that is not read here. */}}
{{- define "vouch.checkFlags" -}}
{{- $reasons := include "vouch.lastArgumentReasons" nil | fromJson -}}
{{- include "vouch.checkLastArguments" (list "operator.extraArgs" .Values.operator.extraArgs $reasons (include "vouch.flagTypes" nil | fromJson)) -}}
{{- range $argument := .Values.operator.extraArgs -}}
{{- if and (regexMatch "^--?aws-writer(=|$)" $argument) (not (hasPrefix "--aws-writer=" $argument)) -}}
{{- fail "operator.extraArgs: write --aws-writer=VALUE as one, since rights rest on it" -}}
{{- end -}}
{{- end -}}
{{- include "vouch.identity.checkFlags" (dict "root" .) -}}
{{- end -}}
