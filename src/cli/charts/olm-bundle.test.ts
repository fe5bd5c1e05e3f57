// The bundle for OLM: what is contract in it, and that it asks for no other rights than the operator has everywhere.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { load } from 'js-yaml'
import { readOperatorFlags } from '../operator/flags.ts'
import { hubDefaults, rightsOfHub } from '../render/hub.ts'
import { olmBundle } from './olm-bundle.ts'

interface Csv {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> }
  readonly spec: {
    readonly minKubeVersion: string
    readonly customresourcedefinitions: { readonly owned: readonly { readonly version: string }[] }
    readonly installModes: readonly { readonly type: string; readonly supported: boolean }[]
    readonly webhookdefinitions: readonly { readonly type: string; readonly containerPort: number; readonly targetPort: number }[]
    readonly relatedImages: readonly { readonly image: string }[]
    readonly install: {
      readonly spec: {
        readonly clusterPermissions: readonly [{ readonly rules: readonly Rule[] }]
        readonly permissions: readonly [{ readonly rules: readonly Rule[] }]
        readonly deployments: readonly [
          { readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Container[] } } } },
        ]
      }
    }
  }
}

interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
}

interface Container {
  readonly args: readonly string[]
  readonly env: readonly { readonly name: string; readonly value?: string }[]
}

const files = await olmBundle()
const folder = join(import.meta.dirname, '../../../deploy/olm/external-dns-operator')

test('the bundle of the checkout is what would be made (npm run charts)', () => {
  const there = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
  assert.deepEqual(there.toSorted(), [...files.keys()].toSorted())
  for (const [path, text] of files) assert.equal(readFileSync(join(folder, path), 'utf8'), text, path)
})

const read = (path: string): unknown => load(files.get(path) ?? '')
const csv = read('manifests/external-dns-operator.clusterserviceversion.yaml') as Csv
const { spec } = csv

test('package, channels, install modes, versions and webhooks are those of the existing bundle, and one for conversion', () => {
  const { annotations } = read('metadata/annotations.yaml') as { annotations: Readonly<Record<string, string>> }
  const of = (what: string): string | undefined => annotations[`operators.operatorframework.io.bundle.${what}.v1`]
  assert.deepEqual(
    [of('package'), of('channels'), of('channel.default')],
    ['external-dns-operator', 'stable-v1.3,stable-v1', 'stable-v1'],
  )
  assert.deepEqual(
    spec.installModes.filter(({ supported }) => supported).map(({ type }) => type),
    ['OwnNamespace', 'SingleNamespace'],
  )
  assert.equal(spec.minKubeVersion, '1.22.0')
  assert.deepEqual(
    spec.customresourcedefinitions.owned.map(({ version }) => version),
    ['v1alpha1', 'v1beta1', 'v1beta2'],
  )
  assert.deepEqual(
    spec.webhookdefinitions.map(({ type, containerPort, targetPort }) => [type, containerPort, targetPort]),
    [
      ['ValidatingAdmissionWebhook', 443, 9443],
      ['ConversionWebhook', 443, 9443],
    ],
  )
  const { annotations: features } = csv.metadata
  assert.equal(features['operatorframework.io/suggested-namespace'], 'external-dns-operator')
  for (const name of ['disconnected', 'fips-compliant', 'proxy-aware', 'token-auth-aws'])
    assert.equal(features[`features.operators.openshift.io/${name}`], 'true', name)
})

test('the process takes the arguments of the Deployment, and every image stands in the list of images', () => {
  const [container] = spec.install.spec.deployments[0].spec.template.spec.containers
  const env: Readonly<Record<string, string>> = { OPERATOR_NAMESPACE: 'external-dns-operator', RELATED_IMAGE_EXTERNAL_DNS: 'x:1' }
  const args = (container?.args ?? []).slice(1).map(text => text.replaceAll(/\$\((\w+)\)/g, (_, name: string) => env[name] ?? ''))
  const { process } = readOperatorFlags(args, {})
  assert.deepEqual(
    [process.metricsAddress?.port, process.metricsCertificateFolder, process.healthAddress?.port, process.elects],
    [8443, '/var/run/secrets/serving-cert', 9440, true],
  )
  const images = (container?.env ?? []).filter(({ name }) => name.startsWith('RELATED_IMAGE_')).map(({ value }) => value)
  for (const image of images)
    assert.ok(
      spec.relatedImages.some(related => related.image === image),
      image,
    )
})

test('its rights are those that the operator says it needs, and no more', async () => {
  const options = {
    ...hubDefaults,
    name: 'external-dns-operator',
    namespace: 'external-dns-operator',
    args: [
      '--controllers=dns',
      '--operator-namespace=external-dns-operator',
      '--operand-namespace=external-dns-operator',
      '--trusted-ca-configmap=ca',
    ],
  }
  const [account] = await rightsOfHub(options)
  const wanted = (account?.rights ?? []).flatMap(({ group, resource, verbs, within }) =>
    verbs.map(verb => `${within === undefined ? 'cluster' : 'namespace'} ${group}/${resource} ${verb}`),
  )
  const permissions = [
    ...spec.install.spec.clusterPermissions[0].rules.map(rule => ['cluster', rule] as const),
    ...spec.install.spec.permissions[0].rules.map(rule => ['namespace', rule] as const),
  ]
  const given = permissions.flatMap(([where, { apiGroups, resources, verbs }]) =>
    apiGroups.flatMap(group => resources.flatMap(resource => verbs.map(verb => `${where} ${group}/${resource} ${verb}`))),
  )
  assert.deepEqual([...new Set(given)].sort(), [...new Set(wanted)].sort())
})
