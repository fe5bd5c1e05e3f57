// What `kubectl get` asks the server for and prints, of each kind whose CRD the chart installs: a person sees without `-o wide` whether an
// object is well, for whom it is, and what of AWS it stands for. test/real/kubectl-identity.real.test.ts looks at kubectl itself.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { createApiServer } from '#apiserver'
import { type CustomResourceDefinition, type KubeObject, namespaces } from '#kube'
import { manifestsOf } from '../../src/cli/testing/commands.ts'

const crdFolder = join(import.meta.dirname, '../../deploy/charts/vouch/files/crds')
const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
const roleArn = 'arn:aws:iam::123456789012:role/awi-wlc-a-apps-app1-0123456789'

/** How else than by a condition named Ready a kind says that it is well, as whoever knows that kind expects. */
const otherwise: Readonly<Record<string, string>> = { ExternalDNS: 'Available' }
/** Kinds that are settings: nothing becomes of them. */
const settings = new Set(['AWSWorkloadIdentityOperatorConfig', 'CertPolicy', 'IAMRoleSelector'])

interface Table {
  readonly columnDefinitions: readonly { readonly name: string; readonly priority: number }[]
  readonly rows: readonly { readonly cells: readonly unknown[] }[]
}

const server = createApiServer({ seed: 1, objects: [namespaceOf('wlc-a'), ...crds()] })
before(() => server.settle())

function namespaceOf(name: string): KubeObject {
  return { apiVersion: 'v1', kind: namespaces.kind, metadata: { name } }
}

function crds(): readonly CustomResourceDefinition[] {
  const files = readdirSync(crdFolder).filter(file => !file.endsWith('-2.yaml'))
  return files.map(file => manifestsOf(file, readFileSync(join(crdFolder, file), 'utf8'))[0] as CustomResourceDefinition)
}

async function ask(method: string, target: string, body?: unknown, contentType = 'application/json'): Promise<unknown> {
  const response = await server.as()({
    method,
    target,
    headers: { accept, 'content-type': contentType },
    body: body === undefined ? null : new TextEncoder().encode(JSON.stringify(body)),
  })
  assert.ok(response.status < 300, `${method} ${target}: ${new TextDecoder().decode(response.body as Uint8Array)}`)
  return JSON.parse(new TextDecoder().decode(response.body as Uint8Array))
}

/** What kubectl prints: the columns without a priority, and the cells under them. */
async function printed(path: string): Promise<{ readonly header: readonly string[]; readonly rows: readonly string[][] }> {
  const { columnDefinitions, rows } = (await ask('GET', path)) as Table
  const shown = columnDefinitions.flatMap(({ name, priority }, index) => (priority === 0 ? [{ name, index }] : []))
  return {
    header: shown.map(({ name }) => name),
    rows: rows.map(({ cells }) => shown.map(({ index }) => String(cells[index]))),
  }
}

test('of every kind that the chart installs kubectl get says whether it is Ready', async () => {
  const found = crds()
  assert.ok(found.length > 25)
  for (const { spec } of found) {
    const { kind, plural } = spec.names as { readonly kind: string; readonly plural: string }
    for (const version of spec.versions.filter(({ served }) => served === true)) {
      const { header } = await printed(`/apis/${spec.group}/${String(version['name'])}/${plural}`)
      const expected = settings.has(kind) ? 'Age' : (otherwise[kind] ?? 'Ready')
      assert.ok(header.includes(expected), `kubectl get ${plural}.${spec.group} prints ${header.join(' ')}`)
      assert.equal(header.filter(name => name === 'Age').length, 1, `${kind} has one age`)
    }
  }
})

test('of a binding kubectl get shows the ServiceAccount with its namespace, Ready and the ARN', async () => {
  const path = '/apis/aws.identity.appthrust.io/v1alpha1/namespaces/wlc-a/awsserviceaccountroles'
  await ask('POST', path, {
    apiVersion: 'aws.identity.appthrust.io/v1alpha1',
    kind: 'AWSServiceAccountRole',
    metadata: { name: 'app1', namespace: 'wlc-a' },
    spec: { serviceAccount: { namespace: 'apps', name: 'app1' }, policyARNs: ['arn:aws:iam::aws:policy/X'] },
  })
  const conditions = [{ type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }]
  await ask('PATCH', `${path}/app1/status`, { status: { roleARN: roleArn, conditions } }, 'application/merge-patch+json')
  const { header, rows } = await printed(path)
  assert.deepEqual(header, ['Name', 'SA-Namespace', 'ServiceAccount', 'Ready', 'RoleARN', 'Age'])
  assert.deepEqual(rows[0]?.slice(0, 5), ['app1', 'apps', 'app1', 'True', roleArn])
})

test('of a role and a bucket of AWS kubectl get shows Ready and the ARN', async () => {
  for (const [group, plural, kind, spec, arn] of [
    ['iam.services.k8s.aws', 'roles', 'Role', { name: 'r', assumeRolePolicyDocument: '{}' }, roleArn],
    ['s3.services.k8s.aws', 'buckets', 'Bucket', { name: 'b' }, 'arn:aws:s3:::b'],
  ] as const) {
    const path = `/apis/${group}/v1alpha1/namespaces/wlc-a/${plural}`
    await ask('POST', path, { apiVersion: `${group}/v1alpha1`, kind, metadata: { name: 'one', namespace: 'wlc-a' }, spec })
    const metadata = { arn, ownerAccountID: '123456789012', region: 'eu-west-1' }
    const status = { ackResourceMetadata: metadata, conditions: [{ type: 'Ready', status: 'False' }] }
    await ask('PATCH', `${path}/one/status`, { status }, 'application/merge-patch+json')
    const { header, rows } = await printed(path)
    assert.deepEqual(header, ['Name', 'Ready', 'ARN', 'Age'])
    assert.deepEqual(rows[0]?.slice(0, 3), ['one', 'False', arn])
  }
})
