// The generated files of the charts of webhooks: their manifests for every combination of the choices that shape them.
import { dump } from 'js-yaml'
import type { Flag } from '#base'
import type { KubeObject } from '#kube'
import { type ChartName, chartSchema, deriveObjects, printFlagTables, type Reasons } from '#manifests'
import {
  awsFlags,
  azureFlags,
  bothFlags,
  type CertificateChoice,
  renderAzureWebhookManifests,
  renderBothWebhookManifests,
  renderPodWebhookManifests,
} from '#operators/pods'
import type { ShapingFlag } from '#runtime'
import { azureChart, azureReasons, azureValues } from './azure.ts'
import { bothChart, bothReasons, bothValues } from './both.ts'
import type { NamedText } from './operator-files.ts'
import { podsChart, podsReasons, podsValues, withoutNamespace } from './pods.ts'
import { webhookWords } from './webhook-values.ts'

export interface WebhookChart {
  readonly chart: ChartName
  readonly description: string
  /** The key of its values in the chart `vouch`, and the word in front of its named templates. */
  readonly alias: 'webhooks' | 'azureWebhooks' | 'bothWebhooks'
  readonly values: object
  readonly flags: readonly Flag[]
  readonly reasons: Reasons
  /** Named like variables of the template, which reads them from the values. */
  readonly shaping: readonly Shape[]
  /** The objects with a placeholder in the place of each value. */
  readonly render: (said: Said) => readonly KubeObject[]
  readonly deployment: string
  /** The command that finds pods of before. */
  readonly audit: string
}

/** What each choice but the first is written as in a condition on the values. */
interface Shape {
  readonly flag: string
  readonly first: string
  readonly others: Readonly<Record<string, string>>
}

type Said = (flag: string) => string

const replicasPlaceholder = 424_242
const replicas: Shape = { flag: 'replicas', first: 'one', others: { many: '(gt (int .Values.replicaCount) 1)' } }
const callers: Shape = { flag: 'callers', first: 'anybody', others: { known: '(not (empty .Values.apiServers))' } }
const watch: Shape = { flag: 'watch', first: 'no', others: { yes: '.Values.watchConfigMap' } }

function policy(flag: string, first: 'Ignore' | 'Fail', value: string): Shape {
  const other = first === 'Ignore' ? 'Fail' : 'Ignore'
  return { flag, first, others: { [other]: `(eq .Values.${value} "${other}")` } }
}

function certificate(first: string, ...others: readonly string[]): Shape {
  const when = others.map((one): readonly [string, string] => [one, `(eq .Values.certificate.source "${one}")`])
  return { flag: 'certificate', first, others: Object.fromEntries<string>(when) }
}

const kept = { kind: 'secret', secretName: 'ph-secret', caBundle: 'ph-ca' } as const

const common = (said: Said) => ({
  namespace: 'ph-namespace',
  image: 'ph-image',
  replicas: said('replicas') === 'many' ? replicasPlaceholder : 1,
  apiServers: said('callers') === 'known' ? ['ph-cidr'] : [],
  args: ['ph-argument'],
  labels: { 'ph-label': 'ph' },
})
const policyOf = (word: string): 'Ignore' | 'Fail' => (word === 'Fail' ? 'Fail' : 'Ignore')

export const webhookCharts: readonly WebhookChart[] = [
  {
    chart: podsChart,
    description: 'The webhook that gives pods their cloud identity',
    alias: 'webhooks',
    values: podsValues,
    flags: awsFlags,
    reasons: podsReasons,
    shaping: [
      certificate('cert-manager', 'secret', 'cluster', 'own'),
      policy('failure', 'Ignore', 'failurePolicy'),
      watch,
      replicas,
      callers,
      { flag: 'client', first: 'unproven', others: { proven: '(not (empty .Values.clientCa))' } },
    ],
    render: said =>
      renderPodWebhookManifests({
        ...common(said),
        name: 'ph-name',
        certificate: awsCertificate(said('certificate')),
        failurePolicy: policyOf(said('failure')),
        watchConfigMap: said('watch') === 'yes',
        clientCa: said('client') === 'proven' ? 'ph-client-pem' : '',
      }),
    deployment: '{{ .Values.fullnameOverride }}',
    audit: 'vouch webhook audit',
  },
  {
    chart: azureChart,
    description: 'The webhook that gives pods their Azure identity',
    alias: 'azureWebhooks',
    values: azureValues,
    flags: azureFlags,
    reasons: azureReasons,
    shaping: [certificate('own', 'secret'), policy('failure', 'Fail', 'failurePolicy'), replicas, callers],
    render: said =>
      renderAzureWebhookManifests({
        ...common(said),
        tenantId: 'ph-tenant',
        cloud: 'ph-cloud',
        certificate: said('certificate') === 'secret' ? kept : { kind: 'rotated' },
        failurePolicy: policyOf(said('failure')),
      }),
    deployment: 'azure-wi-webhook-controller-manager',
    audit: 'vouch webhook audit --provider azure',
  },
  {
    chart: bothChart,
    description: 'The webhook that gives pods their identities at AWS and at Azure',
    alias: 'bothWebhooks',
    values: bothValues,
    flags: bothFlags,
    reasons: bothReasons,
    shaping: [
      certificate('own', 'secret'),
      policy('aws', 'Ignore', 'failurePolicy.aws'),
      policy('azure', 'Fail', 'failurePolicy.azure'),
      watch,
      replicas,
      callers,
    ],
    render: said =>
      renderBothWebhookManifests({
        ...common(said),
        name: 'ph-name',
        tenantId: 'ph-tenant',
        cloud: 'ph-cloud',
        certificate: said('certificate') === 'secret' ? kept : { kind: 'own' },
        failurePolicy: { aws: policyOf(said('aws')), azure: policyOf(said('azure')) },
        watchConfigMap: said('watch') === 'yes',
      }),
    deployment: '{{ .Values.fullnameOverride }}',
    audit: 'vouch webhook audit\n  vouch webhook audit --provider azure',
  },
]

function awsCertificate(source: string): CertificateChoice {
  if (source === 'secret') return kept
  if (source === 'cluster') return { ...kept, kind: 'cluster' }
  return { kind: source === 'own' ? 'own' : 'cert-manager' }
}

export async function webhookFiles(webhook: WebhookChart): Promise<readonly NamedText[]> {
  const { chart, description, alias, values, flags, reasons, shaping, render } = webhook
  const shapes = shaping.map(
    ({ flag, first, others }): ShapingFlag => ({ kind: 'choice', flag, values: [first, ...Object.keys(others)] }),
  )
  const objects = await deriveObjects(shapes, args => Promise.resolve(withoutNamespace(render(saidIn(args)))))
  const printed = objects.map(({ when, part }) => `{{- if ${when} }}\n---\n${filled(part, alias)}{{- end }}`)
  const { name, version, appVersion } = chart
  const about = { apiVersion: 'v2', name, description, type: 'application', version, appVersion, kubeVersion: '>=1.28.0-0' }
  const header = '{{/* Made by `npm run charts` from src/operators/pods/manifests; never edited. */}}'
  const check = `{{- include "${alias}.check" . }}`
  return [
    ['Chart.yaml', dump(about)],
    ['values.yaml', dump(values, { lineWidth: -1, noRefs: true })],
    ['values.schema.json', `${JSON.stringify(chartSchema(values, webhookWords(values)), undefined, 2)}\n`],
    ['templates/webhook.yaml', [header, check, variablesOf(shaping), ...printed].join('\n')],
    ['templates/_known-flags.tpl', printFlagTables(alias, { known: flags, decided: {}, lastArguments: reasons })],
  ]
}

function variablesOf(shaping: readonly Shape[]): string {
  const lines = shaping.flatMap(({ flag, others }) => Object.entries(others).map(([word, when]) => `  "${flag}_${word}" ${when}`))
  return `{{- $v := dict\n${lines.join('\n')} }}`
}

function saidIn(args: readonly string[]): Said {
  const said = new Map(args.map(each => each.slice(2).split('=') as [string, string]))
  return flag => said.get(flag) ?? ''
}

/** The placeholder of each value, in the place of the value. */
function filled(object: KubeObject, prefix: string): string {
  const ca = Buffer.from('ph-ca').toString('base64')
  return dump(object, { lineWidth: -1, noRefs: true })
    .replaceAll(/^( *)ph-label: ph\n/gm, `$1{{- include "${prefix}.labels" $ | nindent INDENT$1 }}\n`)
    .replaceAll(/^( *)(\{\{- .*)INDENT\1/gm, (_, indent: string, line: string) => `${line}${indent.length}`)
    .replaceAll(/^( *)- ph-argument\n/gm, '$1{{- range $.Values.extraArgs }}\n$1- {{ . | quote }}\n$1{{- end }}\n')
    .replaceAll(
      /^( *)- ipBlock:\n( *)cidr: ph-cidr\n/gm,
      '$1{{- range $.Values.apiServers }}\n$1- ipBlock:\n$2cidr: {{ . | quote }}\n$1{{- end }}\n',
    )
    .replaceAll(ca, '{{ $.Values.certificate.caBundle | b64enc }}')
    .replaceAll('ph-client-pem', '{{ $.Values.clientCa | toJson }}')
    .replaceAll('ph-tenant', '{{ $.Values.tenantId | quote }}')
    .replaceAll('ph-cloud', '{{ $.Values.cloud | quote }}')
    .replaceAll(String(replicasPlaceholder), '{{ $.Values.replicaCount }}')
    .replaceAll('ph-secret', '{{ $.Values.certificate.secretName }}')
    .replaceAll('ph-image', `{{ include "${prefix}.image" $ | quote }}`)
    .replaceAll('ph-namespace', '{{ $.Release.Namespace }}')
    .replaceAll('ph-name', '{{ $.Values.fullnameOverride }}')
}
