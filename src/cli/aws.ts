// `vouch aws`: the AWS emulator alone, for people who test operators.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Aws, AwsOptions, EnforceMode, Profile, SignatureMode } from '#emulator'
import { addAwsQuestions, defaultControlPort } from './aws-questions.ts'
import { stopBySignal } from './stop-signal.ts'

interface Flags {
  readonly host: string
  readonly port: number
  readonly controlPort: number
  readonly tls: boolean
  readonly profile: Profile
  readonly signatures: SignatureMode
  readonly enforce: EnforceMode
  readonly data?: string
  readonly accounts?: readonly string[]
  readonly region: string
  readonly seed?: string
  readonly knob?: Readonly<Record<string, unknown>>
}

const defaultPort = 4566

export function addAwsCommand(program: Command): void {
  const aws = program
    .command('aws')
    .description('AWS endpoints in one process: IAM, STS, S3, EKS, ACM, Route 53 and what hangs on them')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 takes a free one', readPort, defaultPort)
    .option('--control-port <number>', 'port of the read-only control page; 0 takes a free one', readPort, defaultControlPort)
    .option('--tls', 'serve https, with a certificate of the emulator’s own CA', false)
    .addOption(
      new Option('--profile <name>', 'how late writes become visible')
        .choices(['instant', 'demo', 'async', 'hostile'])
        .default('demo'),
    )
    .addOption(
      new Option('--signatures <mode>', 'what is checked of a signature').choices(['off', 'parse', 'verify']).default('parse'),
    )
    .addOption(
      new Option('--enforce <mode>', 'whose permissions are evaluated')
        .choices(['none', 'adminOnly', 'full'])
        .default('adminOnly'),
    )
    .option('--data <file>', 'keep the state in this file; without it everything is gone at the end')
    .option('--accounts <ids...>', 'account ids, the first is the default')
    .option('--region <name>', 'region of requests that name none', 'us-east-1')
    .option('--seed <text>', 'same seed, same ids and keys')
    .option(
      '--knob <name=value>',
      'a choice of the emulator’s, its value as JSON, such as throttling="published" or jwksTtlMs=0; may be repeated',
      readKnob,
    )
    .action((flags: Flags, command: Command) => run(flags, command))
  addAwsQuestions(aws)
}

async function run(flags: Flags, command: Command): Promise<void> {
  const { createAws } = await import('#emulator')
  const data = flags.data === undefined ? undefined : await readSaved(flags.data)
  const options: AwsOptions = {
    profile: flags.profile,
    signatures: flags.signatures,
    enforce: flags.enforce,
    region: flags.region,
    ...(flags.accounts === undefined ? {} : { accounts: flags.accounts }),
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
    ...(flags.knob === undefined ? {} : { knobs: flags.knob }),
  }
  const aws = orRefused(command, () => createAws({ ...options, ...(data === undefined ? {} : { data }) }))
  const refuse = (error: unknown): never => command.error(`error: ${whyNotListening(error)}`)
  const listener = await aws.listen({ host: flags.host, port: flags.port, tls: flags.tls }).catch(refuse)
  const control = await aws.listenControl({ host: flags.host, port: flags.controlPort }).catch(refuse)
  const { accessKeyId, secretAccessKey } = aws.adminCredentials()
  const address = `${flags.tls ? 'https' : 'http'}://${listener.host}:${listener.port}`
  console.log(
    `AWS at ${address}, calls and reasons at http://${control.host}:${control.port} (Ctrl-C stops it); use it with:\nexport AWS_ENDPOINT_URL=${address} AWS_REGION=${flags.region} AWS_DEFAULT_REGION=${flags.region} AWS_ACCESS_KEY_ID=${accessKeyId} AWS_SECRET_ACCESS_KEY=${secretAccessKey} AWS_EC2_METADATA_DISABLED=true`,
  )
  await untilStopped(aws, flags.data)
  await aws.close()
}

/** Options that only the emulator can judge: knobs, accounts, and what is in the file. */
function orRefused(command: Command, make: () => Aws): Aws {
  try {
    return make()
  } catch (error) {
    if (error instanceof SyntaxError) return command.error('error: the file of --data holds no state of an emulator')
    if (error instanceof TypeError) return command.error(`error: ${error.message}`)
    throw error
  }
}

function whyNotListening(error: unknown): string {
  const { code, address, port, message } = error as NodeJS.ErrnoException & { readonly address?: string; readonly port?: number }
  return code === 'EADDRINUSE'
    ? `${address}:${port} is taken; is another \`vouch aws\` running? Choose with --port and --control-port, 0 takes a free one.`
    : message
}

/** Saved every few seconds, so that a crash loses little, and at the end. */
const saveIntervalMs = 5_000

async function untilStopped(aws: Aws, file: string | undefined): Promise<void> {
  const { signal } = stopBySignal()
  let saved = ''
  while (!signal.aborted) {
    await pause(saveIntervalMs, signal)
    if (file !== undefined) saved = await save(aws, file, saved)
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolvePause => {
    const timer = setTimeout(done, ms)
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolvePause()
    }
    signal.addEventListener('abort', done)
  })
}

/** The file holds secret keys: only its owner may read it. It is replaced whole, so it is never half written. */
async function save(aws: Aws, file: string, last: string): Promise<string> {
  const text = aws.snapshot()
  if (text === last) return last
  const path = resolve(file)
  await writeFile(`${path}.new`, text, { mode: 0o600 })
  await rename(`${path}.new`, path)
  return text
}

async function readSaved(file: string): Promise<string | undefined> {
  try {
    return await readFile(resolve(file), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Text that is no JSON is taken as it is, so that quotes need not be quoted. Which names there are, the emulator says. */
function readKnob(text: string, before: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  const equals = text.indexOf('=')
  if (equals <= 0) throw new InvalidArgumentError('a knob is given as NAME=VALUE')
  const value = text.slice(equals + 1)
  let parsed: unknown = value
  try {
    parsed = JSON.parse(value)
  } catch {
    // A plain word.
  }
  return { ...before, [text.slice(0, equals)]: parsed }
}

function readPort(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new InvalidArgumentError('a port is a whole number from 0 to 65535')
}
