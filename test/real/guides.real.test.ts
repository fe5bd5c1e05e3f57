// The guides, followed by a reader who has nothing but the packed package, an empty folder, kubectl, the AWS CLI and what the guide says is
// needed: every command as it is written, in its order. Those on identity and adoption are followed in one world of `vouch dev`, with its story
// in it, one guide after the other, as a reader would.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createApiServer } from '#apiserver'
import { given } from '#base'
import { createAws } from '#emulator'
import { obtainKubernetes } from '../../scripts/kubernetes.ts'
import { servingPair } from '../../src/base/x509/serving-pair.fixture.ts'
import type { TimelineEntry } from '../../src/cli/dev/screen.ts'
import { type Outsider, unpackForOutsider } from '../e2e/package.ts'
import { createReader, followGuide, followGuideInstead, type Reader } from './guide-steps.ts'
import { botocoreData } from './programs/botocore-data.ts'
import { startMoto } from './programs/moto.ts'
import { type Python, pythonEnvironment } from './programs/python.ts'

const account = '123456789012'
const region = 'us-east-1'
const kubernetes = await obtainKubernetes()
const python = await pythonEnvironment()
const skip = 'skipped' in kubernetes ? kubernetes.skipped : 'missing' in python ? python.missing : false

/** Of all, so that it is built once. */
let outsider: Outsider | undefined
after(() => outsider?.remove())
const main = (): string => join((outsider ??= unpackForOutsider()).folder, 'node_modules/vouch/dist/vouch.js')

describe('the guides, in the world of `vouch dev`', { skip }, () => {
  let world: DevProcess
  before(async () => {
    world = await startDev()
  })
  after(() => world.stop())

  test('eks-irsa.md: the issuer of the cluster is trusted, and its ServiceAccount has a role', async () => {
    await using shell = await openShell(world.env)
    await followGuide('eks-irsa.md', shell.reader)
    assert.match(lastLine(shell.reader), new RegExp(`^arn:aws:iam::${account}:role/awi-stage-reports-`))
  })

  test('eks-pod-identity.md: an association is made', async () => {
    await using shell = await openShell(world.env)
    await followGuide('eks-pod-identity.md', shell.reader)
    assert.equal(lastLine(shell.reader), 'reports')
  })

  test('a-fleet.md: one role comes to three clusters, a mistake stops at the canary, a cluster leaves and comes back', async () => {
    await using shell = await openShell(world.env)
    await followGuide('a-fleet.md', shell.reader)
    assert.match(lastLine(shell.reader), /^No resources found/)
  })

  test('adopt-what-is-there.md: a role is taken over, and those that are looked after already are left out', async () => {
    await using shell = await openShell(world.env)
    await followGuide('adopt-what-is-there.md', shell.reader)
    const { stdout } = await shell.reader.ask('kubectl get roles.iam.services.k8s.aws -A -o yaml')
    assert.doesNotMatch(stdout, /DuplicateOwner/)
    assert.match(shell.reader.printed(), /left out, since objects of Kubernetes look after them already: \d/)
  })

  test('certificates.md: two words, names of two accounts, and a certificate of Terraform that is taken over', async () => {
    await using shell = await openShell(world.env)
    const { reader } = shell
    await followGuide('certificates.md', reader, {
      'A certificate': () => assert.match(lastLine(reader), new RegExp(`^arn:aws:acm:${region}:${account}:certificate/`)),
    })
    const count = "aws acm list-certificates --query 'length(CertificateSummaryList)' --output text"
    const { stdout } = await reader.ask(count)
    assert.equal(stdout.trim(), '5', 'shop, blog twice, www and legacy: none instead of the one that was there')
  })

  test('certificate-alerts.md: what the Certs say is read, and they are looked at again', async () => {
    await using shell = await openShell(world.env)
    await followGuide('certificate-alerts.md', shell.reader)
    assert.match(shell.reader.printed(), /^Ready=True Issued: /m)
  })

  test('dns-credentials.md: each way is taken where it can work, and what is made for an object is there', async () => {
    await using shell = await openShell(world.env)
    const { reader } = shell
    await followGuide('dns-credentials.md', reader)
    assert.match(reader.printed(), /credentials secret must be specified when provider type is AWS/)
    assert.match(lastLine(reader), /^externaldns\.externaldns\.olm\.openshift\.io "keys" deleted/)
  })

  test('dns-troubleshooting.md: a role that does not exist is told by the conditions of the page, and all is well with the former one', async () => {
    await using shell = await openShell(world.env)
    await followGuide('dns-troubleshooting.md', shell.reader)
    assert.match(lastLine(shell.reader), /All records are already up to date|level=/)
  })

  test('dns-other-account.md: a Service has its record in the zone of another account', async () => {
    await using shell = await openShell(world.env)
    await followGuide('dns-other-account.md', shell.reader)
    assert.match(lastLine(shell.reader), /^cart\.example\.net\.\s192\.0\.2\.9$/)
  })

  test('hardening.md: manifests of accounts and of a webhook that is shut', async () => {
    await using shell = await openShell(world.env)
    writeFileSync(join(shell.reader.folder, 'apiserver-client-ca.pem'), servingPair().certificate)
    await followGuide('hardening.md', shell.reader)
  })

  test('self-hosted-clusters.md: from what `vouch dev` has to a pod with a role, a new key, and nothing left', async () => {
    await using shell = await openShell(world.env)
    await followGuide('self-hosted-clusters.md', shell.reader, {
      '3. Wait, and bind': () =>
        assert.match(lastLine(shell.reader), new RegExp(`^arn:aws:iam::${account}:role/awi-edge-reports-`)),
      'Replace the key': () => assert.match(shell.reader.printed(), /^key [\w-]+ is published; it signs after 15m0s\n$/m),
    })
    const { stdout } = await shell.reader.ask(
      "aws iam list-open-id-connect-providers --query 'OpenIDConnectProviderList[].Arn' --output text",
    )
    assert.doesNotMatch(stdout, /awi-edge/, 'the provider of edge is gone')
  })
})

describe('the other guides', { skip }, () => {
  for (const guide of ['azure.md', 'both-clouds.md', 'hosted-control-planes.md'])
    test(`${guide}: pods and manifests are what the page says, with nothing but the package`, async () => {
      await using shell = await openShell()
      await followGuide(guide, shell.reader)
    })

  test('test-against-aws.md: the AWS CLI makes a role with the line that was printed', async () => {
    await using shell = await openShell()
    const { reader } = shell
    await followGuide('test-against-aws.md', reader, {
      'With any client': async () => {
        const exports = await until(() => /^export .*AWS_ENDPOINT_URL=.*$/m.exec(reader.printed())?.[0])
        for (const [, name = '', value = ''] of exports.matchAll(/(\w+)=(\S+)/g)) reader.env[name] = value
      },
    })
    assert.equal(reader.printed().trim().split('\n').at(-1), 'r')
  })

  test('infer-kinds.md: kinds come out of a model', async () => {
    await using shell = await openShell()
    const { reader } = shell
    const data = botocoreData(python as Python)
    const [version = ''] = await readdir(join(data, 'sqs'))
    const model = join(data, 'sqs', version, 'service-2.json')
    const packed = existsSync(`${model}.gz`)
    copyFileSync(packed ? `${model}.gz` : model, join(reader.folder, 'service-2.json'))
    await followGuide('infer-kinds.md', reader)
    for (const name of ['apis', 'crds', 'ir.json', 'policies', 'report.json'])
      assert.ok(existsSync(join(reader.folder, 'out', name)), name)
  })

  test('see-drift-at-once.md: what was changed by hand is changed back when the queue tells of it, in moto', async () => {
    await using shell = await openShell()
    await using _ = await openHubBesideMoto(shell)
    const { reader } = shell
    await followGuide('see-drift-at-once.md', reader, {
      '1. A queue that EventBridge may write to, and nobody else': () => {
        const [QUEUE_URL = '', QUEUE_ARN = ''] = reader.printed().trim().split('\n').at(-1)?.split(' ') ?? []
        Object.assign(reader.env, { QUEUE_URL, QUEUE_ARN, AWS_REGION: 'us-east-1', AWS_DEFAULT_REGION: 'us-east-1' })
      },
    })
    assert.equal(reader.printed().trim().split('\n').at(-1), 'reads')
  })

  test('add-a-service.md: a queue comes out of nothing but a model, in AWS of our own', async t => {
    await using shell = await openShell()
    await using _ = await openHubBesideAws(shell)
    const { reader } = shell
    try {
      await followGuide('add-a-service.md', reader)
      assert.match(reader.printed(), /\/jobs$/)
    } catch (error) {
      if (!/pip download[\s\S]*(?:No matching distribution|ConnectionError|Temporary failure)/.test(String(error))) throw error
      t.skip('skipped: PyPI cannot be reached, from which the guide takes a model')
    }
  })

  test('add-a-service.md: workspaces of a service that nothing here names come out of its model as queues do, in moto', async t => {
    await using shell = await openShell()
    await using _ = await openHubBesideMoto(shell)
    const { reader } = shell
    Object.assign(reader.env, { AWS_DEFAULT_REGION: 'eu-west-1' })
    try {
      await followGuideInstead('add-a-service.md', reader, { instead: workspaces })
      assert.match(reader.printed(), /ws-[0-9a-f-]{36}$/)
      const { stdout } = await reader.ask("aws amp list-workspaces --query 'workspaces[*].[alias, tags.team]' --output text")
      assert.equal(stdout.trim(), 'jobs\tblue')
    } catch (error) {
      if (!/pip download[\s\S]*(?:No matching distribution|ConnectionError|Temporary failure)/.test(String(error))) throw error
      t.skip('skipped: PyPI cannot be reached, from which the guide takes a model')
    }
  })
})

/** What a reader writes who wants workspaces of Managed Prometheus where the guide has queues of SQS. */
const workspaces = [
  ['sqs', 'amp'],
  ['2012-11-05', '2020-08-01'],
  ['attributes: { VisibilityTimeout: "40" }', 'tags: { team: blue }'],
  ['queueName', 'alias'],
  ['queueURL', 'workspaceID'],
  ['crd/queues', 'crd/workspaces'],
  ['queue/jobs', 'workspace/jobs'],
  ['get queue', 'get workspace'],
  ['Queue', 'Workspace'],
] as const

function lastLine(reader: Reader): string {
  return reader.printed().trim().split('\n').at(-1) ?? ''
}

interface Shell extends AsyncDisposable {
  readonly reader: Reader
  /** Where his programs and settings are; not where he is. */
  readonly home: string
}

/** A hub of ours, which the reader's kubeconfig leads to, and moto as his AWS. */
async function openHubBesideMoto({ reader, home }: Shell): Promise<AsyncDisposable> {
  const moto = await startMoto(python as Python)
  const server = createApiServer({ name: 'hub' })
  const close = async (): Promise<void> => {
    await moto.stop()
    await server.close()
  }
  try {
    await server.listen()
    writeFileSync(join(home, 'kubeconfig'), server.kubeconfig())
    Object.assign(reader.env, { AWS_ENDPOINT_URL: moto.url, AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' })
  } catch (error) {
    await close()
    throw error
  }
  return { [Symbol.asyncDispose]: close }
}

/** The same with our own AWS. */
async function openHubBesideAws({ reader, home }: Shell): Promise<AsyncDisposable> {
  const [server, aws] = [createApiServer({ name: 'hub' }), createAws()]
  const [, { host, port }] = await Promise.all([server.listen(), aws.listen()])
  const { accessKeyId, secretAccessKey } = aws.adminCredentials()
  writeFileSync(join(home, 'kubeconfig'), server.kubeconfig())
  Object.assign(reader.env, {
    AWS_ENDPOINT_URL: `http://${host}:${port}`,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  })
  return { [Symbol.asyncDispose]: async () => void (await Promise.all([server.close(), aws.close()])) }
}

/** A reader in an empty folder. What he has: vouch, kubectl, aws, pip, and his settings; with `settings`, what those exports say. */
async function openShell(settings?: string): Promise<Shell> {
  assert.ok(!('skipped' in kubernetes) && !('missing' in python))
  const home = mkdtempSync(join(tmpdir(), 'vouch-guide-'))
  const bin = join(home, 'bin')
  const folder = join(home, 'here')
  await Promise.all([mkdir(bin), mkdir(folder)])
  // Fixed ports may be taken here.
  const vouch = `#!/bin/sh
case "$1 $2" in
  "operator "*) set -- "$@" --health-probe-bind-address=0 --webhook-bind-address=0 ;;
  "aws explain" | "aws can") ;;
  "aws "*) set -- "$@" --port 0 --control-port 0 ;;
esac
exec '${process.execPath}' --disable-warning=ExperimentalWarning '${main()}' "$@"
`
  const programs = {
    vouch,
    kubectl: `#!/bin/sh\nexec '${kubernetes.programs.kubectl}' "$@"\n`,
    // Version 1 of the CLI asks queues at an old address of theirs, whatever the environment says.
    aws: `#!/bin/sh\n[ "$1" = sqs ] && set -- --endpoint-url "$AWS_ENDPOINT_URL" "$@"\nexec '${python.program('aws')}' "$@"\n`,
    pip: `#!/bin/sh\nexec '${python.program('pip')}' --disable-pip-version-check "$@"\n`,
  }
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(bin, name), text)
    chmodSync(join(bin, name), 0o755)
  }
  const env = {
    PATH: [bin, '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
    HOME: home,
    XDG_CACHE_HOME: process.env['XDG_CACHE_HOME'] ?? join(process.env['HOME'] ?? home, '.cache'),
    KUBECONFIG: join(home, 'kubeconfig'),
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_PAGER: '',
    AWS_EC2_METADATA_DISABLED: 'true',
    // What `. FILE` in every terminal of his does.
    ...given({ BASH_ENV: settings }),
  }
  const reader = createReader(folder, env)
  return {
    reader,
    home,
    [Symbol.asyncDispose]: async () => {
      reader.leave()
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

interface DevProcess {
  /** The file of exports that it invites to take. */
  readonly env: string
  stop(): Promise<void>
}

/** `vouch dev` of the packed package, its story told. */
async function startDev(): Promise<DevProcess> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main(), 'dev', '--json'], {
    cwd: mkdtempSync(join(tmpdir(), 'vouch-guide-dev-')),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8')
  const kubeconfig = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text: string) => {
      printed += text
      const line = /^\{.*"access".*\}$/m.exec(printed)?.[0]
      if (line !== undefined) resolve((JSON.parse(line) as TimelineEntry).access?.kubeconfig ?? '')
    })
    child.on('exit', () => reject(new Error(printed)))
  })
  return {
    env: join(dirname(kubeconfig), 'env'),
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGINT')
      await ended
    },
  }
}

async function until<T>(look: () => T | undefined): Promise<T> {
  for (let tries = 0; tries < 600; tries++) {
    const found = look()
    if (found !== undefined) return found
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error('it did not come about within half a minute')
}
