// The chart `vouch`: one process, whose values switch operators on and give them their flags. `vouch render --values` prints the same.
import { createHash } from 'node:crypto'
import type { KubeObject } from '#kube'
import {
  type ChartName,
  type FlagWords,
  fullnameOf,
  type Install,
  labelsOf,
  namespaceOf,
  type ProcessValues,
  processValues,
  type Release,
  reasonsOfLastArguments,
  refuseGivenFlags,
  refuseLastArguments,
  renderInstall,
} from '#manifests'
import type { Operator } from '#runtime'
import { version } from '../frame/version.ts'
import { operatorFlags, readOperatorFlags } from '../operator/flags.ts'
import { operators } from '../operators.ts'
import { type AzureValues, azureValues, renderAzureChart } from './azure.ts'
import { type BothValues, bothValues, renderBothChart } from './both.ts'
import { type PodsValues, podsValues, renderPodsChart } from './pods.ts'

export interface OperatorValues {
  readonly enabled: boolean
  /** Why a flag cannot be set in the chart, by the name of the flag without its dashes. */
  readonly flags: FlagWords
  /** What stands in files that flags name, by flag. */
  readonly files: Readonly<Record<string, string>>
}

export interface UmbrellaValues extends ProcessValues {
  /** Flags of the process, and those that several operators share. */
  readonly flags: FlagWords
  readonly operators: Readonly<Record<string, OperatorValues>>
  /** The chart `pod-identity-webhooks`, for a hub whose own pods have identities. */
  readonly webhooks: PodsValues & { readonly enabled: boolean }
  /** The chart `azure-workload-identity-webhook`, likewise. */
  readonly azureWebhooks: AzureValues & { readonly enabled: boolean }
  /** The chart `cloud-identity-webhooks`: instead of the two. */
  readonly bothWebhooks: BothValues & { readonly enabled: boolean }
}

export function umbrellaValues(known: readonly Operator[] = operators): UmbrellaValues {
  const values = known.map(({ name, installed }, index): readonly [string, OperatorValues] => [
    name,
    { enabled: index === 0, flags: {}, files: {}, ...installed },
  ])
  return {
    ...processValues,
    flags: {},
    operators: Object.fromEntries(values),
    webhooks: { enabled: false, ...podsValues },
    azureWebhooks: { enabled: false, ...azureValues },
    bothWebhooks: { enabled: false, ...bothValues },
  }
}

export const umbrellaChart: ChartName = { name: 'vouch', version, appVersion: version }

/** What Helm would print for these values. */
export async function renderUmbrella(values: UmbrellaValues, release: Release): Promise<readonly KubeObject[]> {
  return [...renderInstall(await installUmbrella(values, release)), ...webhooksOf(values, release)]
}

/** Throws for webhooks that would stand in each other's place. */
function webhooksOf({ webhooks, azureWebhooks, bothWebhooks }: UmbrellaValues, release: Release): readonly KubeObject[] {
  if (bothWebhooks.enabled && (webhooks.enabled || azureWebhooks.enabled))
    throw new Error('bothWebhooks is both in one process: switch off webhooks and azureWebhooks')
  const ofAws = webhooks.enabled ? renderPodsChart(webhooks, release) : []
  const ofAzure = azureWebhooks.enabled ? renderAzureChart(azureWebhooks, release) : []
  return [...ofAws, ...ofAzure, ...(bothWebhooks.enabled ? renderBothChart(bothWebhooks, release) : [])]
}

/** The process of these values, before anything of it is rendered. */
export async function installUmbrella(values: UmbrellaValues, release: Release): Promise<Install> {
  const enabled = operators.filter(({ name }) => values.operators[name]?.enabled === true)
  if (enabled.length === 0) throw new Error('no operator is enabled: set operators.identity.enabled, or that of another')
  refuseGivenFlags(values, enabled)
  const { extraArgs } = values.operator
  refuseLastArguments({
    where: 'operator.extraArgs',
    args: extraArgs,
    reasons: reasonsOfLastArguments(operators),
    known: operatorFlags,
  })
  const own = enabled.map(({ name }) => values.operators[name]?.flags ?? {})
  const args = [
    `--controllers=${enabled.map(({ name }) => name).join(',')}`,
    ...enabled.flatMap(({ deployedArgs = [] }) => deployedArgs),
    ...[values.flags, ...own].flatMap(argsOf),
  ]
  const files = Object.assign({}, ...enabled.map(({ name }) => values.operators[name]?.files ?? {})) as OperatorValues['files']
  const bare: Install = {
    chart: umbrellaChart,
    release,
    values,
    operators: [],
    args,
    env: [],
    volumes: [],
    podAnnotations: Object.fromEntries(Object.entries(files).map(([flag, text]) => [`checksum/${flag}`, sha256(text)])),
  }
  const place = { name: fullnameOf(bare), namespace: namespaceOf(bare), labels: labelsOf(bare), files }
  const { chosen } = readOperatorFlags([...args, ...extraArgs], {})
  const described = chosen.map(async ({ operator, settings }) => ({
    name: operator.name,
    lease: operator.lease,
    needs: await operator.describe(settings, place),
  }))
  return { ...bare, operators: await Promise.all(described) }
}

/** The flags as arguments, in the order in which a template goes through a map. */
function argsOf(flags: FlagWords): readonly string[] {
  return Object.keys(flags)
    .sort()
    .map(flag => `--${flag}=${String(flags[flag])}`)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
