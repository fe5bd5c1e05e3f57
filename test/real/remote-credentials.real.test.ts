// Programs that are not ours use what the consumers of remote identities give them: the AWS CLI, boto3, and the SDKs for Go and Java, by a
// credential process and by a sidecar's files. The hub and the cluster are real API servers, which sign the tokens; AWS is the emulator, which verifies them.
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { serviceModel } from '#aws'
import { createAwsClient, inProcessTransport, staticCredentials } from '#aws/client'
import { seededRandom, silentLog, systemClock, systemSeams } from '#base'
import { createAws } from '#emulator'
import { clusterProfileKind } from '#fleet'
import { clusterRoleBindings, customResourceDefinitions, renderCrd } from '#kube'
import { connect, type KubeClient } from '#kube/client'
import { configKind, renderIdentityCrds, roleKind } from '#operators/identity'
import { prepareRemoteIdentity, remoteFlags } from '../../src/cli/testing/remote-identity.ts'
import { type ControlPlane, startControlPlane } from './control-plane.ts'
import { eventually } from './eventually.ts'
import { goProgram } from './programs/go-program.ts'
import { javaArguments, javaProgram } from './programs/java-program.ts'
import { type Python, pythonEnvironment } from './programs/python.ts'
import { controlPlaneSkipped, sharedControlPlane } from './shared.ts'

const run = promisify(execFile)
const python = await pythonEnvironment()
const skip = (await controlPlaneSkipped()) ?? ('missing' in python ? python.missing : undefined)
const main = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts')
const issuer = 'https://issuer.example.com/edge'
const vouch = [process.execPath, '--disable-warning=ExperimentalWarning', main]
const identity = "import boto3; print(boto3.client('sts').get_caller_identity()['Arn'])"
const reading = "import boto3; print(boto3.client('s3').get_object(Bucket='remote', Key='hello.txt')['Body'].read().decode())"

const goSdk = goProgram('go-aws', 'aws-sdk-go')
const javaSdk = javaProgram('java-aws', 'aws-sdk-java', 'AwsSdk')
/** The other SDKs, by name: how a program of theirs is started that does what a pod does. Without the compiler it is said what nobody tried. */
const sdks = {
  Go: 'skipped' in goSdk ? goSdk : { command: goSdk.path, args: ['pod', 'remote'] },
  Java: 'skipped' in javaSdk ? javaSdk : { command: 'java', args: [...javaArguments(javaSdk.path, 'AwsSdk'), 'pod', 'remote'] },
} as const

describe('a remote identity in the hands of programs that are not ours', skip === undefined ? {} : { skip }, () => {
  const aws = createAws({ enforce: 'full', signatures: 'verify' })
  const folder = mkdtempSync(join(tmpdir(), 'vouch-remote-'))
  const planes: ControlPlane[] = []
  const clients: KubeClient[] = []
  let address = ''
  let target: KubeClient
  const sidecars: ChildProcess[] = []

  before(async () => {
    const listener = await aws.listen()
    address = `http://${listener.host}:${listener.port}`
    const { etcd } = await sharedControlPlane()
    const signingKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' })
    const tokens = { issuer, signingKey: String(signingKey), audiences: [issuer, 'sts.amazonaws.com'] }
    const hubPlane = await startControlPlane({ etcd })
    planes.push(hubPlane)
    const edgePlane = await startControlPlane({ etcd, tokens })
    planes.push(edgePlane)
    const hub = await clientOf(hubPlane)
    target = await clientOf(edgePlane)
    for (const crd of [...renderIdentityCrds(), renderCrd(clusterProfileKind)]) await hub.create(customResourceDefinitions, crd)
    for (const { type } of [configKind, roleKind, clusterProfileKind]) {
      await eventually(
        () => hub.list(type).catch(() => undefined),
        () => `${type.plural} are served`,
      )
    }
    const jwks = await target.exchange({ method: 'GET', target: '/openid/v1/jwks', headers: {}, body: null })
    const { address: server, ca, adminToken: token } = edgePlane
    const keys = await bodyOf(jwks.body)
    await prepareRemoteIdentity({ aws, hub, folder, target: { client: target, address: server, ca, token, issuer, jwks: keys } })
    await putObject()
    const command = [...vouch, 'credential-process', ...remoteFlags, `--kubeconfig=${hubPlane.kubeconfig}`].join(' ')
    writeFileSync(join(folder, 'config'), `[default]\ncredential_process = ${command}\n`)
  })

  after(async () => {
    for (const sidecar of sidecars) sidecar.kill('SIGKILL')
    for (const client of clients) await client.close()
    for (const plane of planes) await plane.stop()
    await aws.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('the AWS CLI and boto3 get credentials from the credential process [11.3]', async () => {
    await everybodyReads('config', /:assumed-role\/remote-reader\/report$/)
  })

  for (const [sdk, program] of Object.entries(sdks))
    test(`the SDK for ${sdk} gets credentials from the credential process, and uses the files of a sidecar [11.3, 11.4]`, {
      skip: 'skipped' in program ? program.skipped : false,
    }, async () => {
      if ('skipped' in program) return
      const use = async (config: string): Promise<string> => {
        // A JVM looks up the home of its user elsewhere than in the environment.
        const env = {
          ...environment(config),
          AWS_REGION: 'us-east-1',
          LC_ALL: 'C.UTF-8',
          JAVA_TOOL_OPTIONS: `-Duser.home=${folder}`,
        }
        return (await run(program.command, [...program.args], { cwd: folder, env, timeout: 120_000 })).stdout
      }
      assert.match(await use('config'), /^as arn:aws:sts::123456789012:assumed-role\/remote-reader\/report$/m)
      const files = await sidecarFiles(`for-${sdk}`)
      assert.match(
        await use(files.config),
        /^as arn:aws:sts::123456789012:assumed-role\/remote-reader\/awio-demo-reader-[0-9a-f]{12}$/m,
      )
      await files.stop()
    })

  test('the AWS CLI and boto3 use the files of the sidecar, which are fresh and nobody else’s [11.4]', async () => {
    const { tokenFile, config, flags, stop } = await sidecarFiles('fresh')
    assert.deepEqual([statSync(tokenFile).mode & 0o777, statSync(config).mode & 0o777], [0o600, 0o600])
    await everybodyReads(config, /:assumed-role\/remote-reader\/awio-demo-reader-[0-9a-f]{12}$/)
    await run(vouch[0] ?? '', [...vouch.slice(1), 'sidecar', 'check', ...flags.slice(1)])
    assert.equal(await stop(), 0)
  })

  test('a right that is taken away is told by its reason, with nothing on standard output [11.3]', async () => {
    await target.delete(clusterRoleBindings, { namespace: '', name: 'own-tokens' })
    const flags = remoteFlags.map(flag => flag.replace('providers.json', 'own-providers.json'))
    const [node, ...args] = [...vouch, 'credential-process', ...flags, `--kubeconfig=${planes[0]?.kubeconfig ?? ''}`]
    const told = await run(node, args, { cwd: folder, env: environment('config') }).catch((error: unknown) => error)
    const { code, stdout, stderr } = told as { readonly code: number; readonly stdout: string; readonly stderr: string }
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^remoteirsa RemoteTokenRequestForbidden: [^\n]*\n$/)
  })

  /** A sidecar that writes into a folder of its own; `stop` gives its exit code. */
  async function sidecarFiles(name: string): Promise<SidecarFiles> {
    const tokenFile = join(folder, name, 'token')
    const config = join(folder, name, 'config')
    const flags = [
      `--kubeconfig=${join(folder, 'worker.kubeconfig')}`,
      `--token-file=${tokenFile}`,
      `--aws-config-file=${config}`,
    ]
    const [node = '', ...args] = [...vouch, 'sidecar', ...flags]
    const sidecar = spawn(node, args, { cwd: folder, stdio: 'ignore' })
    sidecars.push(sidecar)
    await eventually(
      () => Promise.resolve(existsSync(config) ? true : undefined),
      () => 'the files of the sidecar',
    )
    const stop = async (): Promise<number> => {
      const ended = new Promise<number>(resolve => sidecar.once('close', code => resolve(code ?? -1)))
      sidecar.kill('SIGTERM')
      return await ended
    }
    return { tokenFile, config, flags, stop }
  }

  async function everybodyReads(config: string, session: RegExp): Promise<void> {
    const { program } = python as Python
    const env = environment(config)
    const told = async (name: string, args: readonly string[]): Promise<string> =>
      (await run(program(name), [...args], { cwd: folder, env, timeout: 120_000 })).stdout.trim()
    assert.match(await told('aws', ['sts', 'get-caller-identity', '--query', 'Arn', '--output', 'text']), session)
    assert.equal(await told('aws', ['s3', 'cp', 's3://remote/hello.txt', '-']), 'from afar')
    assert.match(await told('python', ['-c', identity]), session)
    assert.equal(await told('python', ['-c', reading]), 'from afar')
  }

  /** Nothing of the machine's own configuration may leak in. */
  function environment(config: string): Record<string, string> {
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      AWS_CONFIG_FILE: config,
      AWS_ENDPOINT_URL: address,
      // The SDK for Go asks for a web identity before it has read the line above, and reads this one.
      AWS_ENDPOINT_URL_STS: address,
      AWS_DEFAULT_REGION: 'us-east-1',
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_PAGER: '',
    }
  }

  async function clientOf({ kubeconfig }: ControlPlane): Promise<KubeClient> {
    const seams = systemSeams({}, { log: silentLog })
    const { client } = await connect(seams, { kubeconfig: [kubeconfig], userAgent: 'vouch-test' })
    clients.push(client)
    return client
  }

  async function putObject(): Promise<void> {
    const s3 = createAwsClient({
      model: serviceModel('s3'),
      region: 'us-east-1',
      credentials: staticCredentials(aws.adminCredentials()),
      transport: inProcessTransport(aws.handle),
      clock: systemClock,
      random: seededRandom(1),
    })
    await s3.call('CreateBucket', { Bucket: 'remote' })
    await s3.call('PutObject', { Bucket: 'remote', Key: 'k', Body: new TextEncoder().encode('v') })
    await s3.call('PutObject', { Bucket: 'remote', Key: 'hello.txt', Body: new TextEncoder().encode('from afar') })
  }
})

async function bodyOf(body: AsyncIterable<Uint8Array> | Uint8Array | null): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body instanceof Uint8Array ? [body] : (body ?? [])) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

interface SidecarFiles {
  readonly tokenFile: string
  readonly config: string
  readonly flags: readonly string[]
  stop(): Promise<number>
}
