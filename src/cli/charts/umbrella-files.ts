// The generated files of the chart `vouch`: what each operator needs under which values, its CRDs, the values and their schema.
import { dump } from 'js-yaml'
import { chartSchema, decidedFlags, decidedWith, printFlagTables, printOwnFlags, reasonsOfLastArguments } from '#manifests'
import { operatorFlags } from '../operator/flags.ts'
import { operators } from '../operators.ts'
import { type NamedText, operatorFiles } from './operator-files.ts'
import { umbrellaChart, umbrellaValues } from './umbrella.ts'
import { webhookCharts } from './webhook-files.ts'

export async function umbrellaFiles(): Promise<readonly NamedText[]> {
  const values = umbrellaValues()
  const ofOperators = await Promise.all(operators.map(operatorFiles))
  return [
    ['Chart.yaml', chartYaml()],
    ['values.yaml', dump(values, { lineWidth: -1, noRefs: true })],
    ['values.schema.json', `${JSON.stringify(chartSchema(values), undefined, 2)}\n`],
    ['templates/_operators.tpl', knownOperators()],
    [
      'templates/_known-flags.tpl',
      printFlagTables('vouch', { known: operatorFlags, decided: decidedFlags, lastArguments: reasonsOfLastArguments(operators) }),
    ],
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
    dependencies: webhookCharts.map(({ chart, alias }) => ({
      name: chart.name,
      version: chart.version,
      condition: `${alias}.enabled`,
      alias,
    })),
  })
}

function knownOperators(): string {
  const args = operators.map(
    ({ name, deployedArgs = [] }) => `{{- define "vouch.${name}.deployedArgs" -}}${JSON.stringify(deployedArgs)}{{- end -}}\n`,
  )
  const flags = operators.map(operator => [
    printOwnFlags(operator, operators),
    `{{- define "vouch.${operator.name}.decided" -}}${JSON.stringify(decidedWith([operator]))}{{- end -}}\n`,
  ])
  const names = JSON.stringify(operators.map(({ name }) => name))
  return `{{/* Made by \`npm run charts\`; never edited. */}}\n{{- define "vouch.known" -}}${names}{{- end -}}\n${[...args, ...flags.flat()].join('')}`
}
