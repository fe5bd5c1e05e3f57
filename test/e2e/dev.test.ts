import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { breakEdge, checkPlan, logOf, planOfAll, type TimelineEntry } from './story-reader.ts'
import type { Told } from './vouch-process.ts'

const main = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts')

type Line = TimelineEntry

test('vouch dev --once proves the chain of trust and ends with 0', { timeout: 400_000 }, async () => {
  const { code, output } = await vouch(['dev', '--once', '--json'])
  assert.equal(code, 0, output)
  const lines = output
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Line)
  const told = lines
    .filter(({ chapter, cluster }) => chapter === 'proof' && cluster !== undefined)
    .map(({ outcome, cluster, text }) => `${outcome} ${cluster}: ${text.replaceAll(/on \S+:sub/g, 'on ISSUER:sub')}`)
  const link =
    'the link that did not hold: trust policy: statement 1: StringEquals on ISSUER:sub wants [system:serviceaccount:demo:reader], the request has [system:serviceaccount:demo:stranger]'
  const denied = 'pod stranger was refused: AccessDenied: Not authorized to perform sts:AssumeRoleWithWebIdentity'
  assert.deepEqual(told, [
    "proven edge: pod reader read s3://vouch-demo-data/hello.txt (STS, through the operator's own issuer in S3)",
    `refused edge: ${denied}`,
    `hint edge: ${link}`,
    "proven stage: pod reader read s3://vouch-demo-data/hello.txt (STS, through the EKS cluster's issuer)",
    `refused stage: ${denied}`,
    `hint stage: ${link}`,
    'proven prod: pod reader read s3://vouch-demo-data/hello.txt (EKS Pod Identity)',
    'refused prod: pod stranger was refused: CredentialsProviderError: Could not load credentials from any providers',
    'hint prod: the link that did not hold: EKS Auth: ResourceNotFoundException: No association found',
  ])
  const ready = lines.filter(
    ({ chapter, outcome, text }) => chapter !== 'fleet' && outcome === 'proven' && / is Ready(?:$|:)/.test(text),
  )
  assert.equal(ready.length, 7, 'three configs, three roles, and everything')
  // Ten seconds is the promise on a machine at rest; this one may be running everything else at the same time.
  assert.ok(Math.max(...ready.map(({ atMs }) => atMs)) < 20_000, 'everything is Ready within seconds')
  assert.deepEqual(
    lines.findLast(({ chapter }) => chapter === 'proof')?.text,
    'it holds: 3 pods read what only their role may read, 3 others were refused',
  )
  checkFleet(lines.filter(({ chapter }) => chapter === 'fleet'))
  const hosted = lines.filter(({ chapter, cluster }) => chapter === 'hosted' && cluster === 'blue')
  assert.deepEqual(
    hosted.slice(-4).map(({ outcome, text }) => `${outcome}: ${text}`),
    [
      'done: pod reader was given a token and AZURE_CLIENT_ID, AZURE_TENANT_ID, AZURE_FEDERATED_TOKEN_FILE, AZURE_AUTHORITY_HOST',
      'proven: pod reader read secret password of vault orders-vault, with the unmodified @azure/identity',
      "refused: pod stranger was refused: AADSTS700213: No matching federated identity record found for presented assertion subject 'system:serviceaccount:demo:stranger'",
      "hint: the link that did not hold: the identity's federated credential wants subject [system:serviceaccount:demo:reader], the token has [system:serviceaccount:demo:stranger]",
    ],
  )
  const named = lines.findLast(({ chapter }) => chapter === 'dns')
  assert.equal(named?.outcome, 'proven')
  assert.match(named.text, /shop\.example\.com A {2}-> {2}192\.0\.2\.7/)
  checkCertificates(lines.filter(({ chapter }) => chapter === 'certificates'))
})

/** Two words, the record that a name server answers with, and the ARN where the load balancer looks for it. */
function checkCertificates(lines: readonly Line[]): void {
  const proven = lines.filter(({ outcome }) => outcome === 'proven')
  assert.deepEqual([proven.length, lines.at(-1)], [3, proven.at(-1)])
  const [record, ready, published] = proven.map(({ text }) => text)
  assert.match(
    record ?? '',
    /^dig @127\.0\.0\.1 -p \d+ _\w+\.shop-prod\.k8s\.example\.com CNAME {2}-> {2}_\w+\.\w+\.acm-validations\.aws\.$/,
  )
  assert.match(ready ?? '', /^a certificate for shop-prod\.k8s\.example\.com, until \d{4}-/)
  assert.match(published ?? '', /^Ingress shop has arn:aws:acm:us-east-1:123456789012:certificate\/[\w-]+, /)
}

/** What comes to the next group only when the one before has it, and never past somebody who is in the way. */
function checkFleet(lines: readonly Line[]): void {
  const ofSet = lines.filter(({ object }) => object?.kind === 'AWSServiceAccountRoleReplicaSet')
  const pictures = ofSet.filter(({ outcome }) => outcome === 'done').map(({ text }) => text)
  assert.equal(pictures.at(-1), 'canary [edge ✓] ──> staging [stage ✓] ──> production [prod ✓]')
  assert.ok(pictures.some(picture => picture.includes('staging [stage !] ─╳─ production [prod ·]')))
  for (const picture of pictures) {
    if (!picture.includes('[edge ✓]')) assert.match(picture, /stage [·!]\]/, picture)
    if (!picture.includes('[stage ✓]')) assert.match(picture, /prod ·\]/, picture)
  }
  const [stopped, ended] = ofSet.filter(({ outcome }) => outcome !== 'done')
  assert.deepEqual([stopped?.outcome, ended?.outcome, lines.at(-1)], ['refused', 'proven', ended])
  assert.match(
    stopped?.text ?? '',
    /^the rollout stopped: stage: a Role invoices in namespace stage is not of this set; .*prod was not touched$/,
  )
}

test('vouch dev stays up until Ctrl-C, shows the logs of its pods, plans no change of what it made, heals what is broken, and tells it all in the documented form', {
  timeout: 400_000,
}, async () => {
  let folder = ''
  const logs: string[] = []
  let planned: Told = { code: null, stdout: 'nothing was asked', stderr: '' }
  let broken: Promise<void> | undefined
  const { code, output } = await vouch(['dev', '--json'], (text, interrupt) => {
    const line = /^\{.*"access".*\}\n/m.exec(text)?.[0]
    const { access } = line === undefined ? {} : (JSON.parse(line) as Partial<Line>)
    if (access === undefined) return
    if (broken === undefined) {
      folder = dirname(access.kubeconfig)
      broken = (async () => {
        for (const pod of ['reader', 'stranger']) logs.push(await logOf(access.kubeconfig, 'edge', pod))
        planned = await planOfAll(access)
        await breakEdge(access.kubeconfig)
      })()
      // Where it could not be broken, nothing heals.
      void broken.catch(interrupt)
    }
    // Not before the break itself was answered: what is stopped answers no more.
    if (text.includes('is there again')) void broken.then(interrupt, interrupt)
  })
  await broken
  assert.equal(code, 0, output)
  checkPlan(planned)
  // What its own container printed: nothing runs behind other pods, and their logs are refused (src/apiserver/subresources).
  assert.equal(logs[0], 'hello from the other side\n')
  assert.match(logs[1] ?? '', /AccessDenied: Not authorized to perform sts:AssumeRoleWithWebIdentity/)
  assert.match(output, /"outcome":"lost","text":"the role annotation of ServiceAccount reader is gone","cluster":"edge"/)
  assert.match(output, /"outcome":"proven","text":"the role annotation of ServiceAccount reader is there again, after \d+ ms"/)
  assert.ok(folder !== '' && !existsSync(folder), 'its folder is gone')
  checkTimeline(output)
})

test('Ctrl-C in the middle of the story ends it at once, with 130, without a stack and with nothing left', {
  timeout: 400_000,
}, async () => {
  for (const line of [
    '"cluster":"hub"',
    '"chapter":"platform"',
    '"chapter":"application"',
    '"chapter":"proof"',
    '"chapter":"fleet"',
    '"chapter":"dns"',
    '"chapter":"hosted"',
    '"chapter":"certificates"',
  ]) {
    const folder = mkdtempSync(join(tmpdir(), 'vouch-story-'))
    try {
      const told = (text: string, interrupt: () => void): void => void (text.includes(line) && interrupt())
      const { code, output } = await vouch(['dev', '--json'], told, { TMPDIR: folder })
      assert.equal(code, 130, output)
      // What the SDK of a refused pod says is told as it is.
      const own = output.replaceAll(/^.*"outcome":"refused".*$/gm, '')
      assert.doesNotMatch(own, /^\s+at |Error/m, `stopped at ${line}`)
      assert.deepEqual(readdirSync(folder), [], `stopped at ${line}`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
})

test('nobody who reads ends the story too', { timeout: 400_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-story-'))
  try {
    const pipe = `'${process.execPath}' --disable-warning=ExperimentalWarning '${main}' dev | head -3; echo "\${PIPESTATUS[0]}"`
    const { status, stdout, stderr } = spawnSync('bash', ['-c', pipe], {
      env: { ...process.env, TMPDIR: folder },
      encoding: 'utf8',
    })
    assert.equal(status, 0)
    assert.equal(stderr, '')
    assert.match(stdout, /\n130\n$/)
    assert.deepEqual(readdirSync(folder), [])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('where no file can be written the story says so in one line', async () => {
  const { code, output } = await vouch(['dev', '--once'], undefined, { TMPDIR: '/nowhere/at/all' })
  assert.equal(code, 1)
  assert.match(output, /! .*\/nowhere\/at\/all.*TMPDIR names another place/)
  assert.doesNotMatch(output, /^\s+at /m)
})

/** Against the schema of the reference page. */
function checkTimeline(output: string): void {
  const page = readFileSync(join(import.meta.dirname, '../../docs/reference/timeline.md'), 'utf8')
  const schema = JSON.parse(/```json\n(\{\n {2}"\$schema"[\s\S]*?)```/.exec(page)?.[1] ?? '') as Schema
  const lines = output
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Readonly<Record<string, unknown>>)
  assert.ok(lines.length > 30)
  for (const line of lines) assert.deepEqual(violations(schema, line), [], JSON.stringify(line))
  assert.deepEqual([...new Set(lines.map(({ chapter }) => chapter))], schema.properties['chapter']?.enum)
  assert.ok(lines.every(({ atMs }, at) => at === 0 || (atMs as number) >= (lines[at - 1]?.['atMs'] as number)))
}

interface Schema {
  readonly required: readonly string[]
  readonly properties: Readonly<Record<string, { readonly type: string; readonly enum?: readonly string[] }>>
}

/** As much of JSON Schema as the page uses. */
function violations({ required, properties }: Schema, line: Readonly<Record<string, unknown>>): readonly string[] {
  const missing = required.filter(name => !(name in line)).map(name => `${name} is missing`)
  const wrong = Object.entries(line).flatMap(([name, value]) => {
    const rule = properties[name]
    if (rule === undefined) return [`${name} is not in the schema`]
    const type = Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value
    if (type !== rule.type) return [`${name} is ${type}`]
    return rule.enum === undefined || rule.enum.includes(value as string) ? [] : [`${name} is ${String(value)}`]
  })
  return [...missing, ...wrong]
}

test('an unknown command names the nearest one and how to go on', async () => {
  const { code, output } = await vouch(['apiservr'])
  assert.equal(code, 1)
  assert.match(output, /Did you mean apiserver\?/)
  assert.match(output, /vouch --help lists the commands/)
})

function vouch(
  args: readonly string[],
  onOutput: (text: string, interrupt: () => void) => void = () => {},
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  let output = ''
  let interrupted = false
  const interrupt = (): void => {
    if (!interrupted) child.kill('SIGINT')
    interrupted = true
  }
  const take = (chunk: Buffer): void => {
    output += chunk.toString()
    if (!interrupted) onOutput(output, interrupt)
  }
  return new Promise((resolve, reject) => {
    const takeOrEnd = (chunk: Buffer): void => {
      try {
        take(chunk)
      } catch (error) {
        // A test that fails leaves no world behind.
        child.kill('SIGKILL')
        reject(error as Error)
      }
    }
    child.stdout.on('data', takeOrEnd)
    child.stderr.on('data', takeOrEnd)
    child.on('close', code => resolve({ code, output }))
  })
}
