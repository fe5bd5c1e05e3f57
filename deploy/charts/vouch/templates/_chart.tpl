{{/* Which operators there are in the values, and what they are told. */}}

{{- define "vouch.operators" -}}
{{- $names := list -}}
{{- range $name := include "vouch.known" . | fromJsonArray -}}
{{- if (index $.Values.operators $name).enabled -}}{{- $names = append $names $name -}}{{- end -}}
{{- end -}}
{{- if not $names -}}{{- fail "no operator is enabled: set operators.identity.enabled, or that of another" -}}{{- end -}}
{{- $names | toJson -}}
{{- end -}}

{{/* (list . OPERATOR): flags by name, those of the process and the operator's own, which win. */}}
{{- define "vouch.flags" -}}
{{- $values := (index . 0).Values -}}
{{- merge (deepCopy (index $values.operators (index . 1)).flags) $values.flags | toJson -}}
{{- end -}}

{{/* (list . FLAG): what stands in a file that a flag names. */}}
{{- define "vouch.file" -}}
{{- $flag := index . 1 -}}
{{- range $operator := (index . 0).Values.operators -}}
{{- if hasKey (default dict $operator.files) $flag -}}{{- get $operator.files $flag -}}{{- end -}}
{{- end -}}
{{- end -}}

{{- define "vouch.args" -}}
{{- $root := . -}}
{{- $operators := include "vouch.operators" . | fromJsonArray -}}
{{- $args := list (printf "--controllers=%s" (join "," $operators)) -}}
{{- range $name := $operators -}}
{{- $args = concat $args (include (printf "vouch.%s.deployedArgs" $name) nil | fromJsonArray) -}}
{{- end -}}
{{- range $flag, $value := .Values.flags -}}
{{- $args = append $args (printf "--%s=%s" $flag (include "vouch.word" $value)) -}}
{{- end -}}
{{- range $name := $operators -}}
{{- range $flag, $value := (index $root.Values.operators $name).flags -}}
{{- $args = append $args (printf "--%s=%s" $flag (include "vouch.word" $value)) -}}
{{- end -}}
{{- end -}}
{{- $args | toJson -}}
{{- end -}}

{{- define "vouch.env" -}}[]{{- end -}}
{{- define "vouch.volumes" -}}[]{{- end -}}

{{/* The pods start anew when a file that is mounted in them changes. */}}
{{- define "vouch.podAnnotations" -}}
{{- $annotations := dict -}}
{{- range $name := include "vouch.operators" . | fromJsonArray -}}
{{- range $flag, $text := (index $.Values.operators $name).files -}}
{{- $_ := set $annotations (printf "checksum/%s" $flag) (sha256sum $text) -}}
{{- end -}}
{{- end -}}
{{- $annotations | toJson -}}
{{- end -}}

{{/* Refuses flags that the manifests decide, that nobody knows, or that mean another operator. */}}
{{- define "vouch.checkFlags" -}}
{{- $root := . -}}
{{- if and .Values.bothWebhooks.enabled (or .Values.webhooks.enabled .Values.azureWebhooks.enabled) -}}
{{- fail "bothWebhooks is both in one process: switch off webhooks and azureWebhooks" -}}
{{- end -}}
{{- $types := include "vouch.flagTypes" nil | fromJson -}}
{{- $running := include "vouch.operators" . | fromJsonArray -}}
{{- $decided := include "vouch.decidedFlags" nil | fromJson -}}
{{- range $operator := $running -}}
{{- $decided = merge $decided (include (printf "vouch.%s.decided" $operator) nil | fromJson) -}}
{{- end -}}
{{- range $name, $value := .Values.flags -}}
{{- include "vouch.refuseDecided" (list "flags" $name $decided) -}}
{{- include "vouch.refuseType" (list $name (include "vouch.word" $value) $types) -}}
{{- end -}}
{{- range $index, $operator := $running -}}
{{- $own := include (printf "vouch.%s.ownFlags" $operator) nil | fromJson -}}
{{- $where := printf "operators.%s.flags" $operator -}}
{{- range $name, $value := (index $root.Values.operators $operator).flags -}}
{{- include "vouch.refuseDecided" (list $where $name $decided) -}}
{{- if not (hasKey $own $name) -}}{{- fail (printf "%s: --%s is no flag of %s" $where $name $operator) -}}{{- end -}}
{{- range $at, $other := $running -}}
{{- $others := include (printf "vouch.%s.ownFlags" $other) nil | fromJson -}}
{{- if and (ne $other $operator) (hasKey $others $name) -}}
{{- if eq (get $others $name) (get $own $name) -}}{{- fail (printf "%s: --%s is a flag of %s as well, and stands under flags" $where $name $other) -}}{{- end -}}
{{- if lt $at $index -}}{{- fail (printf "%s: --%s is what %s takes it for where both run in one process" $where $name $other) -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- include "vouch.refuseType" (list $name (include "vouch.word" $value) $types) -}}
{{- end -}}
{{- include (printf "vouch.%s.checkFlags" $operator) (dict "root" $root) -}}
{{- end -}}
{{- include "vouch.checkLastArguments" (list "operator.extraArgs" .Values.operator.extraArgs (include "vouch.lastArgumentReasons" nil | fromJson) $types) -}}
{{- end -}}
