// The generated files of the chart `pod-identity-webhooks`: its manifests for every combination of the choices that shape them.
import { dump } from 'js-yaml'
import type { KubeObject } from '#kube'
import { chartSchema, deriveObjects, printFlagTables } from '#manifests'
import { awsFlags, type CertificateChoice, type ManifestOptions, renderPodWebhookManifests } from '#operators/pods'
import type { ShapingFlag } from '#runtime'
import type { NamedText } from './operator-files.ts'
import { podsChart, podsReasons, podsValues, withoutNamespace } from './pods.ts'

/** Named like variables of the template, which reads them from the values. */
const shaping: readonly ShapingFlag[] = [
  { kind: 'choice', flag: 'certificate', values: ['cert-manager', 'secret', 'cluster', 'own'] },
  { kind: 'choice', flag: 'failure', values: ['Ignore', 'Fail'] },
  { kind: 'choice', flag: 'watch', values: ['no', 'yes'] },
  { kind: 'choice', flag: 'replicas', values: ['one', 'many'] },
  { kind: 'choice', flag: 'callers', values: ['anybody', 'known'] },
  { kind: 'choice', flag: 'client', values: ['unproven', 'proven'] },
]

const variables = `{{- $v := dict
  "certificate_secret" (eq .Values.certificate.source "secret")
  "certificate_cluster" (eq .Values.certificate.source "cluster")
  "certificate_own" (eq .Values.certificate.source "own")
  "failure_Fail" (eq .Values.failurePolicy "Fail")
  "watch_yes" .Values.watchConfigMap
  "replicas_many" (gt (int .Values.replicaCount) 1)
  "callers_known" (not (empty .Values.apiServers))
  "client_proven" (not (empty .Values.clientCa)) }}`

export async function podsFiles(): Promise<readonly NamedText[]> {
  const objects = await deriveObjects(shaping, args =>
    Promise.resolve(withoutNamespace(renderPodWebhookManifests(optionsOf(args)))),
  )
  const printed = objects.map(({ when, part }) => `{{- if ${when} }}\n---\n${filled(part)}{{- end }}`)
  const { name, version, appVersion } = podsChart
  const chart = {
    apiVersion: 'v2',
    name,
    description: 'The webhook that gives pods their cloud identity',
    type: 'application',
    version,
    appVersion,
    kubeVersion: '>=1.28.0-0',
  }
  const header = '{{/* Made by `npm run charts` from src/operators/pods/manifests; never edited. */}}'
  return [
    ['Chart.yaml', dump(chart)],
    ['values.yaml', dump(podsValues, { lineWidth: -1, noRefs: true })],
    ['values.schema.json', `${JSON.stringify(chartSchema(podsValues), undefined, 2)}\n`],
    ['templates/webhook.yaml', [header, '{{- include "webhooks.check" . }}', variables, ...printed].join('\n')],
    ['templates/_known-flags.tpl', printFlagTables('webhooks', { known: awsFlags, decided: {}, lastArguments: podsReasons })],
  ]
}

const replicasPlaceholder = 424_242

function optionsOf(args: readonly string[]): Partial<ManifestOptions> {
  const said = new Map(args.map(each => each.slice(2).split('=') as [string, string]))
  const kind = said.get('certificate') as CertificateChoice['kind']
  return {
    namespace: 'ph-namespace',
    name: 'ph-name',
    image: 'ph-image',
    replicas: said.get('replicas') === 'many' ? replicasPlaceholder : 1,
    certificate: kind === 'cert-manager' || kind === 'own' ? { kind } : { kind, secretName: 'ph-secret', caBundle: 'ph-ca' },
    failurePolicy: said.get('failure') as 'Ignore' | 'Fail',
    watchConfigMap: said.get('watch') === 'yes',
    apiServers: said.get('callers') === 'known' ? ['ph-cidr'] : [],
    clientCa: said.get('client') === 'proven' ? 'ph-client-pem' : '',
    args: ['ph-argument'],
    labels: { 'ph-label': 'ph' },
  }
}

/** The placeholder of each value, in the place of the value. */
function filled(object: KubeObject): string {
  const ca = Buffer.from('ph-ca').toString('base64')
  return dump(object, { lineWidth: -1, noRefs: true })
    .replaceAll(/^( *)ph-label: ph\n/gm, '$1{{- include "webhooks.labels" $ | nindent INDENT$1 }}\n')
    .replaceAll(/^( *)(\{\{- .*)INDENT\1/gm, (_, indent: string, line: string) => `${line}${indent.length}`)
    .replaceAll(/^( *)- ph-argument\n/gm, '$1{{- range $.Values.extraArgs }}\n$1- {{ . | quote }}\n$1{{- end }}\n')
    .replaceAll(
      /^( *)- ipBlock:\n( *)cidr: ph-cidr\n/gm,
      '$1{{- range $.Values.apiServers }}\n$1- ipBlock:\n$2cidr: {{ . | quote }}\n$1{{- end }}\n',
    )
    .replaceAll(ca, '{{ $.Values.certificate.caBundle | b64enc }}')
    .replaceAll('ph-client-pem', '{{ $.Values.clientCa | toJson }}')
    .replaceAll(String(replicasPlaceholder), '{{ $.Values.replicaCount }}')
    .replaceAll('ph-secret', '{{ $.Values.certificate.secretName }}')
    .replaceAll('ph-image', '{{ include "webhooks.image" $ | quote }}')
    .replaceAll('ph-namespace', '{{ $.Release.Namespace }}')
    .replaceAll('ph-name', '{{ $.Values.fullnameOverride }}')
}
