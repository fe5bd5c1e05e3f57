// The charts by name, each with its values by default and what Helm would print for those of a person.
import type { KubeObject } from '#kube'
import { chartSchema, type Release, valuesTrouble } from '#manifests'
import { identityValues, renderIdentityChart } from './identity.ts'
import { podsValues, renderPodsChart } from './pods.ts'
import { renderUmbrella, umbrellaValues } from './umbrella.ts'
import { mergeValues } from './values.ts'

export type ChartId = 'vouch' | 'aws-workload-identity-operator' | 'pod-identity-webhooks'

export const chartIds: readonly ChartId[] = ['vouch', 'aws-workload-identity-operator', 'pod-identity-webhooks']

export function defaultsOf(chart: ChartId): object {
  if (chart === 'vouch') return umbrellaValues()
  return chart === 'aws-workload-identity-operator' ? identityValues : podsValues
}

/** Rejects for values that Helm would refuse. */
export async function renderChart(chart: ChartId, given: object, release: Release): Promise<readonly KubeObject[]> {
  switch (chart) {
    case 'aws-workload-identity-operator':
      return renderIdentityChart(valuesOver(chart, identityValues, given), release)
    case 'pod-identity-webhooks':
      return renderPodsChart(valuesOver(chart, podsValues, given), release)
    default:
      return renderUmbrella(valuesOver(chart, umbrellaValues(), given), release)
  }
}

function valuesOver<Values extends object>(chart: ChartId, defaults: Values, given: object): Values {
  const values = mergeValues(defaults, given)
  const trouble = valuesTrouble(values, chartSchema(defaults))
  if (trouble.length > 0)
    throw new Error(
      [`the values do not fit the chart; deploy/charts/${chart}/values.yaml has all that it takes`, ...trouble].join('\n'),
    )
  return values
}
