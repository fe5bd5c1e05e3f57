{{/* Made by `npm run charts`; never edited. */}}
{{- define "vouch.known" -}}["identity","resources"]{{- end -}}
{{- define "vouch.identity.deployedArgs" -}}["--clusterprofile-provider-file=/etc/cluster-inventory/config.json"]{{- end -}}
{{- define "vouch.resources.deployedArgs" -}}[]{{- end -}}
