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
