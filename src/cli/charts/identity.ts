// The chart `aws-workload-identity-operator`: the identity operator alone, under the values of the reference's chart.
import type { KubeObject } from '#kube'
import {
  type ChartName,
  decidedFlags,
  fullnameOf,
  type Install,
  labelsOf,
  metadataOf,
  namespaceOf,
  type ProcessValues,
  processValues,
  type Reasons,
  type Release,
  refuseLastArguments,
  renderInstall,
} from '#manifests'
import { type IdentityChartValues, identityChart, identityChartValues } from '#operators/identity'
import { identityOperator } from '#operators/identity/operator'
import { version } from '../frame/version.ts'
import { operatorFlags, readOperatorFlags, settingsOf } from '../operator/flags.ts'

export type IdentityValues = Omit<ProcessValues, 'operator'> &
  Omit<IdentityChartValues, 'operator'> & { readonly operator: ProcessValues['operator'] & IdentityChartValues['operator'] }

export const identityChartName: ChartName = { name: 'aws-workload-identity-operator', version, appVersion: version }

export const identityValues: IdentityValues = {
  ...processValues,
  ...identityChartValues,
  image: { ...processValues.image, registry: 'ghcr.io', repository: 'appthrust/aws-workload-identity-operator', tag: '0.1.0' },
  operator: { ...processValues.operator, ...identityChartValues.operator },
}

/** Flags that values of this chart set, and why a person may not write them. */
export const identityReasons: Reasons = {
  ...decidedFlags,
  controllers: 'this chart runs the operator identity',
  'cluster-profile-namespaces': 'clusterInventory.clusterProfileNamespaces decides it',
  'clusterprofile-provider-file': 'clusterInventory decides it',
}

/** What Helm would print for these values. */
export async function renderIdentityChart(values: IdentityValues, release: Release): Promise<readonly KubeObject[]> {
  const bare: Install = {
    chart: identityChartName,
    release,
    values,
    operators: [],
    args: [],
    env: [],
    volumes: [],
    podAnnotations: {},
  }
  const fullname = fullnameOf(bare)
  const namespace = namespaceOf(bare)
  const { objects, files, ...container } = identityChart(values, {
    fullname,
    namespace,
    appVersion: identityChartName.appVersion,
    metadata: (name, own) => metadataOf(bare, name, own),
  })
  const { extraArgs } = values.operator
  refuseLastArguments({ where: 'operator.extraArgs', args: extraArgs, reasons: identityReasons, known: operatorFlags })
  // The container takes its endpoint from its environment.
  const args = [...container.args, ...extraArgs].map(each => (each === '$(AWS_ENDPOINT_URL)' ? values.aws.endpointURL : each))
  const settings = settingsOf(readOperatorFlags(args, {}), identityOperator)
  const needs = await identityOperator.describe(settings, { name: fullname, namespace, labels: labelsOf(bare), files })
  const { name, lease } = identityOperator
  return renderInstall({
    ...bare,
    ...container,
    operators: [{ name, lease, needs: { ...needs, objects: [...needs.objects, ...objects] } }],
  })
}
