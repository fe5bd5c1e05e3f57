// The generated files of the chart `aws-workload-identity-operator`.
import { dump } from 'js-yaml'
import { chartSchema, printFlagTables } from '#manifests'
import { renderTargetManifests } from '#operators/identity'
import { identityOperator } from '#operators/identity/operator'
import { operatorFlags } from '../operator/flags.ts'
import { identityChartName, identityReasons, identityValues } from './identity.ts'
import { type NamedText, operatorFiles } from './operator-files.ts'

export async function identityFiles(): Promise<readonly NamedText[]> {
  const { name, version, appVersion } = identityChartName
  const chart = {
    apiVersion: 'v2',
    name,
    description: 'AWS roles for the ServiceAccounts of a fleet',
    type: 'application',
    version,
    appVersion,
    // Image volumes bring the programs of the providers.
    kubeVersion: '>=1.35.0-0',
  }
  return [
    ['Chart.yaml', dump(chart)],
    ['values.yaml', dump(identityValues, { lineWidth: -1, noRefs: true })],
    ['values.schema.json', `${JSON.stringify(chartSchema(identityValues), undefined, 2)}\n`],
    ['templates/_remote.tpl', remoteManifests()],
    [
      'templates/_known-flags.tpl',
      printFlagTables('vouch', { known: operatorFlags, decided: identityReasons, lastArguments: identityReasons }),
    ],
    ...(await operatorFiles(identityOperator)),
  ]
}

/** What stands in a ManifestWork: names are filled in when it is printed. */
function remoteManifests(): string {
  const manifests = renderTargetManifests({
    name: 'ph-remote',
    webhookNamespace: 'ph-webhook-namespace',
    account: { namespace: 'ph-account-namespace', name: 'ph-account' },
  })
  const text = dump(manifests, { lineWidth: -1, noRefs: true })
    .replaceAll('ph-remote', '{{ .name }}')
    .replaceAll('ph-webhook-namespace', '{{ .webhookNamespace }}')
    .replaceAll('ph-account-namespace', '{{ .accountNamespace }}')
    .replaceAll('ph-account', '{{ .account }}')
  return `{{/* What the operator may do on a cluster. Made by \`npm run charts\`; never edited. */}}\n{{- define "vouch.remoteManifests" -}}\n${text}{{- end -}}\n`
}
