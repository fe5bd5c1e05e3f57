// `vouch plan` says nothing that is not so: every manifest is judged or refused, what is judged shows its values, and a plan of nothing is no
// plan that changes nothing.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { clientEnvironment, createAws } from '#emulator'
import { vouchIn } from './vouch-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'vouch-plan-'))
const aws = createAws()
let home: Readonly<Record<string, string>> = {}

const trust = `'{"Version":"2012-10-17","Statement":[]}'`
const files = {
  'deep/a/b/role.yaml': `apiVersion: iam.services.k8s.aws/v1alpha1\nkind: Role\nmetadata: {name: r}\nspec: {name: r, assumeRolePolicyDocument: ${trust}}\n`,
  'typo/role.yaml': `apiVersion: iam.services.k8s.aws/v1alpha1\nkind: Role\nmetadata: {name: r}\nspec: {name: r, asumeRolePolicyDocument: ${trust}}\n`,
  'wrong/role.yaml': `apiVersion: iam.services.k8s.aws/v1alpha1\nkind: Role\nmetadata: {name: r}\nspec: {name: r, maxSessionDuration: long, assumeRolePolicyDocument: ${trust}}\n`,
  'old/role.yaml': 'apiVersion: iam.services.k8s.aws/v1beta7\nkind: Role\nmetadata: {name: r}\n',
  'own/binding.yaml':
    'apiVersion: aws.identity.appthrust.io/v1alpha1\nkind: AWSServiceAccountRole\nmetadata: {name: b, namespace: edge}\nspec: {serviceAccount: {namespace: demo, name: reader}, policyARNs: ["arn:aws:iam::aws:policy/ReadOnlyAccess"]}\n',
  'own-wrong/binding.yaml':
    'apiVersion: aws.identity.appthrust.io/v1alpha1\nkind: AWSServiceAccountRole\nmetadata: {name: b, namespace: edge}\nspec: {serviceAccount: {namespace: demo, name: reader}}\n',
  'mixed/role.yaml': `apiVersion: iam.services.k8s.aws/v1alpha1\nkind: Role\nmetadata: {name: r}\nspec: {name: r, assumeRolePolicyDocument: ${trust}}\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d, namespace: a}\n`,
  'list/roles.yaml': `apiVersion: v1\nkind: List\nitems:\n- apiVersion: iam.services.k8s.aws/v1alpha1\n  kind: Role\n  metadata: {name: r}\n  spec: {name: r, assumeRolePolicyDocument: ${trust}}\n`,
  'nameless/kindless.yaml': 'metadata: {name: r}\n',
  'empty/readme.txt': 'nothing to see\n',
  'bare/empty.yaml': '---\n',
  'other/deployment.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d, namespace: a}\n',
}

before(async () => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const { host, port } = await aws.listen()
  home = clientEnvironment(aws, { address: `http://${host}:${port}`, region: 'eu-west-1' })
})
after(async () => {
  await aws.close()
  rmSync(folder, { recursive: true, force: true })
})

const rows: readonly (readonly [what: string, args: string, code: number, says: RegExp])[] = [
  [
    'a folder in a folder is gone through',
    '-f deep',
    2,
    /^\+ create Role default\/r\n {4}spec\.name: "r"\n {4}spec\.assumeRolePolicyDocument: ".*"\n {4}CreateRole in \d+\/eu-west-1\n1 create/,
  ],
  [
    'a field that does not exist is refused',
    '-f typo',
    1,
    /^x invalid Role default\/r\n {4}unknown field spec\.asumeRolePolicyDocument\n/,
  ],
  [
    'a value of another type is refused',
    '-f wrong',
    1,
    /^x invalid Role default\/r\n {4}spec\.maxSessionDuration: Invalid value: "string"/,
  ],
  [
    'a version that is not served is named',
    '-f old',
    1,
    /^\? unknown Role r\n {4}there is no version iam\.services\.k8s\.aws\/v1beta7 of it: iam\.services\.k8s\.aws\/v1alpha1\n/,
  ],
  [
    'a kind of the identity operator is planned with its values',
    '-f own',
    2,
    /^\+ create AWSServiceAccountRole edge\/b\n {4}spec\.serviceAccount\.namespace: "demo"\n {4}spec\.serviceAccount\.name: "reader"\n {4}spec\.policyARNs: \["arn:aws:iam::aws:policy\/ReadOnlyAccess"\]\n/,
  ],
  [
    'and is checked as the API server would',
    '-f own-wrong',
    1,
    /^x invalid AWSServiceAccountRole edge\/b\n {4}spec: .*exactly one of/,
  ],
  ['what is of another kind is not passed over', '-f mixed', 1, /\? unknown Deployment a\/d\n {4}no kind of ours/],
  [
    'unless that is asked for',
    '-f mixed --skip-other-kinds',
    2,
    /^\+ create Role default\/r\n(?: {4}.*\n)+1 create, 0 update, 0 replace, 0 delete, 0 none, 0 blocked\n$/,
  ],
  ['a List is what it holds', '-f list', 2, /^\+ create Role default\/r\n(?: {4}.*\n)+1 create/],
  [
    'a manifest without a kind is told with its file',
    '-f nameless',
    1,
    /^error: nameless\/kindless\.yaml: a manifest in it has no apiVersion or no kind\n/,
  ],
  ['a folder without a manifest is no plan', '-f empty', 1, /^error: empty: no manifest in it\n/],
  ['nor is an empty document', '-f bare', 1, /^error: bare: no manifest in it\n/],
  [
    'nor is a folder of other kinds',
    '-f other --skip-other-kinds',
    1,
    /^error: other: nothing that could be planned; docs\/reference\/kinds\.md has the kinds that can\n/,
  ],
]

for (const [what, args, code, says] of rows)
  test(`${what}: vouch plan ${args}`, { timeout: 60_000 }, async () => {
    const told = await vouchIn(folder, ['plan', ...args.split(' '), '--offline'], home)
    assert.match(told.stdout + told.stderr, says)
    assert.equal(told.code, code)
  })
