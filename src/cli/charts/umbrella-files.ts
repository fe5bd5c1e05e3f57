// The generated files of the chart `vouch`: what each operator needs under which values, its CRDs, the values and their schema.
import { dump } from 'js-yaml'
import type { CustomResourceDefinition } from '#kube'
import { chartSchema, crdFile, deriveChart, place, printOperator } from '#manifests'
import type { Operator } from '#runtime'
import { readOperatorFlags, settingsOf } from '../operator/flags.ts'
import { operators } from '../operators.ts'
import { umbrellaChart, umbrellaValues } from './umbrella.ts'

type NamedText = readonly [path: string, text: string]

export async function umbrellaFiles(): Promise<readonly NamedText[]> {
  const values = umbrellaValues()
  const ofOperators = await Promise.all(operators.map(filesOf))
  return [
    ['Chart.yaml', chartYaml()],
    ['values.yaml', dump(values, { lineWidth: -1, noRefs: true })],
    ['values.schema.json', `${JSON.stringify(chartSchema(values), undefined, 2)}\n`],
    ['templates/_operators.tpl', knownOperators()],
    ...ofOperators.flat(),
  ]
}

function chartYaml(): string {
  const { name, version, appVersion } = umbrellaChart
  return dump({
    apiVersion: 'v2',
    name,
    description: 'Cloud identity for every Kubernetes ServiceAccount, and the cloud resources around it',
    type: 'application',
    version,
    appVersion,
    kubeVersion: '>=1.30.0-0',
  })
}

function knownOperators(): string {
  const args = operators.map(
    ({ name, deployedArgs = [] }) => `{{- define "vouch.${name}.deployedArgs" -}}${JSON.stringify(deployedArgs)}{{- end -}}\n`,
  )
  const names = JSON.stringify(operators.map(({ name }) => name))
  return `{{/* Made by \`npm run charts\`; never edited. */}}\n{{- define "vouch.known" -}}${names}{{- end -}}\n${args.join('')}`
}

/** Flags without which an operator does not start, and on which no manifest rests. */
const anyRegion = '--aws-region=eu-west-1'

async function filesOf(operator: Operator): Promise<readonly NamedText[]> {
  const { name, lease, shaping = [], flags } = operator
  const ask: Parameters<typeof deriveChart>[2] = async (args, at) => {
    const settings = readOperatorFlags([`--controllers=${name}`, anyRegion, ...args], {})
    return operator.describe(settingsOf(settings, operator), at)
  }
  const derived = await deriveChart(shaping, [], ask)
  const sample = await ask(
    shaping.filter(({ kind }) => kind !== 'any').map(flag => `--${flag.flag}=${sampleOf(flag)}`),
    place,
  )
  const all = flags.flatMap(group => group.flags)
  const otherwise = (flag: string): string => all.find(each => each.name === flag)?.otherwise ?? ''
  return [
    [`templates/_${name}.tpl`, printOperator({ name, lease, shaping, mounts: sample.mounts, derived, otherwise })],
    ...derived.crds.map(
      (crd): NamedText => [`files/crds/${crdFile(crd, derived.crds)}`, kept(crd.part as CustomResourceDefinition)],
    ),
  ]
}

function sampleOf(flag: NonNullable<Operator['shaping']>[number]): string {
  if (flag.kind === 'choice') return flag.values[0] ?? ''
  if (flag.kind === 'list') return flag.items.join(',')
  return flag.kind === 'namespaces' ? flag.everywhere : ''
}

/** Helm upgrades what stands in templates, and would take it away with them: with a kind go all of its objects. */
function kept(crd: CustomResourceDefinition): string {
  const annotations = { ...crd.metadata.annotations, 'helm.sh/resource-policy': 'keep' }
  return dump({ ...crd, metadata: { ...crd.metadata, annotations } }, { lineWidth: -1, noRefs: true })
}
