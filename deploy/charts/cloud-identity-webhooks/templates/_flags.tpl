{{/* What a person may write where values take flags, as src/manifests/given-flags.ts says it. */}}

{{/* (list WHERE NAME REASONS): a flag that the manifests decide. */}}
{{- define "vouch.refuseDecided" -}}
{{- $name := index . 1 -}}
{{- $reasons := index . 2 -}}
{{- if hasKey $reasons $name -}}{{- fail (printf "%s: --%s is not taken here: %s" (index . 0) $name (get $reasons $name)) -}}{{- end -}}
{{- end -}}

{{/* (list NAME WORD TYPES): a flag that nobody knows, or that takes another type. */}}
{{- define "vouch.refuseType" -}}
{{- $name := index . 0 -}}
{{- $word := index . 1 -}}
{{- $types := index . 2 -}}
{{- if not (hasKey $types $name) -}}{{- fail (printf "unknown option '--%s'" $name) -}}{{- end -}}
{{- $type := get $types $name -}}
{{- $why := "" -}}
{{- if and (eq $type "boolean") (not (has $word (list "1" "t" "T" "TRUE" "true" "True" "0" "f" "F" "FALSE" "false" "False"))) -}}{{- $why = "it is neither true nor false" -}}{{- end -}}
{{- if and (eq $type "integer") (not (regexMatch "^[+-]?[0-9]{1,18}$" $word)) -}}{{- $why = "it is no whole number" -}}{{- end -}}
{{- if and (eq $type "duration") (not (regexMatch "^[+-]?(0|(([0-9]+[.]?[0-9]*|[.][0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$" $word)) -}}{{- $why = "it is no duration such as 100ms, 1.5s or 1m" -}}{{- end -}}
{{- if $why -}}{{- fail (printf "option '--%s' argument '%s' is invalid: %s" $name $word $why) -}}{{- end -}}
{{- end -}}

{{/* (list WHERE ARGUMENTS REASONS TYPES): what stands after all other arguments. */}}
{{- define "vouch.checkLastArguments" -}}
{{- $where := index . 0 -}}
{{- $reasons := index . 2 -}}
{{- $types := index . 3 -}}
{{- $waiting := "" -}}
{{- range $argument := index . 1 -}}
{{- if $waiting -}}
{{- include "vouch.refuseType" (list $waiting $argument $types) -}}
{{- $waiting = "" -}}
{{- else -}}
{{- if not (regexMatch "^--?[^-=]" $argument) -}}{{- fail (printf "%q is no flag; flags look like --name=value" $argument) -}}{{- end -}}
{{- $name := regexReplaceAll "^--?([^=]*)(?s:=.*)?$" $argument "${1}" -}}
{{- include "vouch.refuseDecided" (list $where $name $reasons) -}}
{{- if contains "=" $argument -}}
{{- include "vouch.refuseType" (list $name (regexReplaceAll "^[^=]*=" $argument "") $types) -}}
{{- else if eq (default "text" (get $types $name)) "boolean" -}}
{{- else -}}
{{- if not (hasKey $types $name) -}}{{- fail (printf "unknown option '--%s'" $name) -}}{{- end -}}
{{- $waiting = $name -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if $waiting -}}{{- fail (printf "option '--%s' argument missing" $waiting) -}}{{- end -}}
{{- end -}}
