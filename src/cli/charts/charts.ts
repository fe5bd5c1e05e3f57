// The charts by name, each with its values by default and what Helm would print for those of a person.
import type { KubeObject } from '#kube'
import { chartSchema, type Release, valuesTrouble } from '#manifests'
import { azureValues, renderAzureChart } from './azure.ts'
import { bothValues, renderBothChart } from './both.ts'
import { identityValues, renderIdentityChart } from './identity.ts'
import { podsValues, renderPodsChart } from './pods.ts'
import { renderUmbrella, umbrellaValues } from './umbrella.ts'
import { mergeValues } from './values.ts'
import { webhookWords } from './webhook-values.ts'

export const chartIds = [
  'vouch',
  'aws-workload-identity-operator',
  'pod-identity-webhooks',
  'azure-workload-identity-webhook',
  'cloud-identity-webhooks',
] as const

export type ChartId = (typeof chartIds)[number]

export function defaultsOf(chart: ChartId): object {
  return chart === 'vouch' ? umbrellaValues() : defaults[chart]
}

const defaults = {
  'aws-workload-identity-operator': identityValues,
  'pod-identity-webhooks': podsValues,
  'azure-workload-identity-webhook': azureValues,
  'cloud-identity-webhooks': bothValues,
} as const

/** Rejects for values that Helm would refuse. */
export async function renderChart(chart: ChartId, given: object, release: Release): Promise<readonly KubeObject[]> {
  switch (chart) {
    case 'aws-workload-identity-operator':
      return renderIdentityChart(valuesOver(chart, identityValues, given), release)
    case 'pod-identity-webhooks':
      return renderPodsChart(valuesOver(chart, podsValues, given), release)
    case 'azure-workload-identity-webhook':
      return renderAzureChart(valuesOver(chart, azureValues, given), release)
    case 'cloud-identity-webhooks':
      return renderBothChart(valuesOver(chart, bothValues, given), release)
    default:
      return renderUmbrella(valuesOver(chart, umbrellaValues(), given), release)
  }
}

function valuesOver<Values extends object>(chart: ChartId, defaults: Values, given: object): Values {
  const values = mergeValues(defaults, given)
  const trouble = valuesTrouble(values, chartSchema(defaults, webhookWords(defaults)))
  if (trouble.length > 0)
    throw new Error(
      [`the values do not fit the chart; deploy/charts/${chart}/values.yaml has all that it takes`, ...trouble].join('\n'),
    )
  return values
}
