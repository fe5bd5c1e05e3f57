// What a person meets who got something wrong: each command says in a line or two what is wrong and what to do, ends with the code that
// docs/reference/commands.md gives, and never shows a stack or a secret.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { main, runIn, vouchIn, vouchUntil } from './vouch-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'vouch-refusals-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const secrets = ['a-token-of-somebody', 'a-secret-key-of-somebody']
const files = {
  'bad.yaml': 'kind: Role\nspec: [\n',
  'text.yaml': 'just a text\n',
  'role.yaml': 'apiVersion: iam.services.k8s.aws/v1alpha1\nkind: Role\nmetadata: {name: r}\nspec: {name: r}\n',
  'model.json': '{}',
  'providers.json': '{"providers": []}',
  'unreachable.kubeconfig': `apiVersion: v1
kind: Config
current-context: a
clusters: [{name: a, cluster: {server: "https://127.0.0.1:1"}}]
users: [{name: a, user: {token: ${secrets[0]}}}]
contexts: [{name: a, context: {cluster: a, user: a}}]
`,
}
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)

const noAws = {
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'AKIA',
  AWS_SECRET_ACCESS_KEY: secrets[1] as string,
  AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
}

interface Row {
  readonly args: string
  readonly says: RegExp
  readonly code?: number
  readonly env?: Readonly<Record<string, string>>
}

const rows: readonly Row[] = [
  { args: 'apiservr', says: /^error: unknown command 'apiservr'\n\(Did you mean apiserver\?\)/ },
  {
    args: 'aws exlain',
    says: /^error: unknown command 'exlain'\n\(Did you mean explain\?\)\n\(vouch aws --help lists its commands\)\n$/,
  },
  { args: 'help nothing', says: /^error: unknown command 'nothing'\n/ },
  { args: 'help webhook adit', says: /^error: unknown command 'adit'\n\(Did you mean audit\?\)/ },
  { args: 'dev --onc', says: /^error: unknown option '--onc'\n\(Did you mean --once\?\)/ },
  { args: 'apiserver --crds none.yaml', says: /^error: none\.yaml: no such file or folder\n$/ },
  { args: 'apiserver --crds bad.yaml', says: /^error: bad\.yaml, line 3: no YAML: .+\n$/ },
  { args: 'apiserver --kubeconfig nowhere/at/all', says: /^error: .*\/nowhere\/at\/all: no such file or folder\n$/ },
  { args: 'aws explain --control http://127.0.0.1:1', says: /^error: no emulator answers at .*; is `vouch aws` running/ },
  { args: 'infer diff role.yaml role.yaml', says: /^error: role\.yaml: its first document is no CustomResourceDefinition\n$/ },
  {
    args: 'infer --model model.json --service s --output out',
    says: /^error: model\.json: neither a Smithy JSON AST .* nor a C2J model/,
  },
  { args: 'plan -f none.yaml', says: /^error: none\.yaml: no such file or folder\n$/ },
  { args: 'plan -f text.yaml', says: /^error: text\.yaml, document 1: an object needs apiVersion, kind and metadata\.name\n$/ },
  { args: 'plan -f role.yaml --offline', says: /^error: in which region of AWS\? name it by --aws-region or AWS_REGION\n$/ },
  {
    args: 'plan -f role.yaml --aws-account-id 111122223333',
    env: { ...noAws, KUBECONFIG: 'none' },
    says: /^error: kubeconfig .*none: .*\(--offline plans without a cluster\)\n$/,
  },
  {
    args: 'plan -f role.yaml --offline',
    env: noAws,
    says: /^error: AWS does not say whose account this is .*check the network, AWS_ENDPOINT_URL/,
  },
  {
    args: 'plan -f role.yaml --aws-regoin eu-west-1',
    says: /^error: unknown option '--aws-regoin'\n\(Did you mean --aws-region\?\)\n\(vouch plan --help lists its flags\)\n$/,
  },
  {
    args: 'plan -f role.yaml -- --aws-regoin eu-west-1',
    says: /^error: unknown option '--aws-regoin'\n\(Did you mean --aws-region\?\)\n\(vouch operator --help lists the flags of the operator\)\n$/,
  },
  {
    args: 'webhook audit --namespac x',
    says: /^error: unknown option '--namespac'\n\(Did you mean --namespace\?\)\n\(vouch webhook audit --help lists its flags\)\n$/,
  },
  {
    args: 'dev --jsn',
    says: /^error: unknown option '--jsn'\n\(Did you mean --json\?\)\n\(vouch dev --help lists its flags\)\n$/,
  },
  { args: 'render --provider-file text.yaml', says: /^error: provider file text\.yaml: is no JSON/ },
  { args: 'render --values none.yaml', says: /^error: none\.yaml: no such file or folder\n$/ },
  { args: 'render --values text.yaml', says: /^error: text\.yaml: values are a map, as in values\.yaml of the chart\n$/ },
  { args: 'render --values bad.yaml', says: /^error: bad\.yaml, line 3: no YAML: .+\n$/ },
  {
    args: 'render --set replicas=3',
    says: /^error: the values do not fit the chart; deploy\/charts\/vouch\/values\.yaml has all that it takes\n {2}at \/: there is no value replicas\n$/,
  },
  { args: 'render --set replicaCount', says: /^error: --set replicaCount: "replicaCount" is no path=value\n$/ },
  { args: 'render --set replicaCount=2 --replicas 3', says: /^error: --replicas does not go with values: say it in them\n$/ },
  {
    args: 'render --set replicaCount=2 -- --log-level=debug',
    says: /^error: flags of vouch operator do not go with values: say them/,
  },
  {
    args: 'render -- --leader-elect=false',
    says: /^error: --leader-elect is not taken here: operator\.leaderElection\.enabled decides it; values are said by --set and --values\n$/,
  },
  {
    args: 'render --name Vouch',
    says: /^error: option '--name <name>' argument 'Vouch' is invalid\. it names Services such as Vouch-web/,
  },
  { args: 'render --namespace a_b', says: /^error: option '--namespace <name>' argument 'a_b' is invalid\./ },
  { args: 'rights --name Vouch', says: /^error: option '--name <name>' argument 'Vouch' is invalid\./ },
  { args: 'rights --namespace a_b', says: /^error: option '--namespace <name>' argument 'a_b' is invalid\./ },
  { args: 'webhook manifests --namespace a_b', says: /^error: option '--namespace <name>' argument 'a_b' is invalid\./ },
  { args: 'webhook manifests -- --port=1', says: /^error: vouch webhook manifests: --port is not taken here: ports, probes/ },
  {
    args: 'webhook azure --arc-cluster',
    code: 2,
    says: /^error: --arc-cluster: the mode for Arc clusters is gone since v1\.0 of the upstream and is not built here\n\(vouch webhook azure --help lists its flags\)\n$/,
  },
  {
    args: 'webhook azure --volume-layout=hashed',
    code: 2,
    env: { AZURE_TENANT_ID: 'contoso.example' },
    says: /^error: --volume-layout is classic or reserved, not hashed: that layout of a later upstream is not built here\n/,
  },
  { args: 'webhook azure', code: 2, env: { AZURE_TENANT_ID: '' }, says: /^error: AZURE_TENANT_ID is required\n/ },
  {
    args: 'webhook azure --tls-cipher-suites=FOO,BAR',
    code: 2,
    env: { AZURE_TENANT_ID: 'contoso.example' },
    says: /^error: --tls-cipher-suites: unknown FOO, BAR; known are /,
  },
  {
    args: 'webhook azure',
    code: 2,
    env: { AZURE_TENANT_ID: 'contoso.example', AZURE_ENVIRONMENT: 'Nope' },
    says: /^error: failed to get AAD endpoint: autorest\/azure: There is no cloud environment matching the name "NOPE"\n/,
  },
  {
    args: 'webhook aws --nope',
    code: 2,
    says: /^error: unknown option '--nope'\n(?:\(Did you .*\n)?\(vouch webhook aws --help lists its flags\)\n$/,
  },
  {
    args: 'webhook audit --kubeconfig none',
    says: /^error: kubeconfig none: there is no such file; name another by --kubeconfig/,
  },
  {
    args: 'webhook audit --kubeconfig unreachable.kubeconfig',
    says: /^error: list pods at .*cannot connect.*; check the server address/,
  },
  { args: 'webhook mutate --review none', says: /^error: none: no such file or folder\n$/ },
  {
    args: 'operator --controlers identity',
    says: /^error: unknown option '--controlers'\n\(Did you mean --controllers\?\)\n\(vouch operator --help lists its flags\)\n$/,
  },
  {
    args: 'operator',
    says: /^error: --cluster-profile-namespaces is required: .*\n\(vouch operator --help lists its flags\)\n$/,
  },
]

for (const { args, says, code = 1, env = {} } of rows) {
  test(`vouch ${args}${Object.keys(env).length > 0 ? ` with ${Object.keys(env).join(' and ')}` : ''}`, {
    timeout: 60_000,
  }, async () => {
    const told = await vouchIn(folder, args.split(' '), env)
    assert.match(told.stderr, says)
    assert.equal(told.code, code)
    assert.doesNotMatch(told.stderr, /^\s+at .*:\d+:\d+/m, 'no stack')
    for (const secret of secrets) assert.ok(!told.stderr.includes(secret), 'no secret')
  })
}

test('a reader who has seen enough is no error', { timeout: 60_000 }, async () => {
  const command = `'${process.execPath}' --disable-warning=ExperimentalWarning '${main}' render -- --cluster-profile-namespaces=x | head -1; exit "\${PIPESTATUS[0]}"`
  const told = await runIn(folder, 'bash', ['-c', command], {})
  assert.deepEqual(told, { code: 0, stdout: '---\n', stderr: '' })
})

test('an operator whose API server does not answer says so before it tries for long', { timeout: 30_000 }, async () => {
  const args = [
    'operator',
    '--cluster-profile-namespaces=*',
    '--kubeconfig=unreachable.kubeconfig',
    '--log-exporter=console',
    '--clusterprofile-provider-file=providers.json',
  ]
  const { stdout } = await vouchUntil(folder, args, /does not answer/)
  assert.match(stdout, /"address":"https:\/\/127\.0\.0\.1:1".*"the API server does not answer; trying again until it does"/)
  for (const secret of secrets) assert.ok(!stdout.includes(secret), 'no secret')
})
