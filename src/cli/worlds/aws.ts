// `vouch aws`: the AWS emulator alone, for people who test operators.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { given } from '#base'
import type { Aws, AwsOptions, EnforceMode, Profile, SignatureMode } from '#emulator'
import { DataFile } from '../files/data-file.ts'
import { tellText } from '../frame/print.ts'
import { stopBySignal } from '../frame/stop-signal.ts'
import { addAwsQuestions, controlVariable, defaultControlPort } from './aws-questions.ts'
import { authorityFile, readPort, untilStopped, whyNotServed } from './emulated-cloud.ts'

interface Flags {
  readonly host: string
  readonly port: number
  readonly controlPort: number
  readonly dnsPort?: number
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
    .description('AWS endpoints in one process: IAM, STS, S3, SQS, SNS, EKS, ACM, Route 53 and what hangs on them')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 takes a free one', readPort, defaultPort)
    .option('--control-port <number>', 'port of the read-only control page; 0 takes a free one', readPort, defaultControlPort)
    .option('--dns-port <number>', 'answer DNS for the hosted zones on this port, over UDP and TCP; 0 takes a free one', readPort)
    .option('--tls', 'serve https, with a certificate of the emulator’s own CA', false)
    .addOption(
      new Option('--profile <name>', 'how late writes become visible')
        .choices(['instant', 'demo', 'async', 'hostile'])
        .default('demo'),
    )
    .addOption(
      new Option('--signatures <mode>', 'what is checked of a signature').choices(['off', 'parse', 'verify']).default('verify'),
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
  const { clientEnvironment, createAws } = await import('#emulator')
  const refuse = (error: unknown): never =>
    command.error(`error: ${whyNotServed(error, 'vouch aws', '--port, --control-port and --dns-port')}`)
  const file = flags.data === undefined ? undefined : new DataFile(flags.data)
  const data = await file?.read().catch(refuse)
  const options: AwsOptions = {
    profile: flags.profile,
    signatures: flags.signatures,
    enforce: flags.enforce,
    region: flags.region,
    ...given({ accounts: flags.accounts, seed: flags.seed, knobs: flags.knob }),
  }
  const aws = orRefused(command, () => createAws({ ...options, ...given({ data }) }))
  // A place that cannot be written is told now, and not when there is something to lose.
  await file?.save(aws.snapshot()).catch(refuse)
  // Before anything is told: who reads that it serves may stop it at once.
  const { signal } = stopBySignal()
  const listener = await aws.listen({ host: flags.host, port: flags.port, tls: flags.tls }).catch(refuse)
  const endpoint = `${flags.tls ? 'https' : 'http'}://${listener.host}:${listener.port}`
  const about = { owner: `vouch aws, process ${process.pid}`, endpoint }
  const listening = await aws.listenControl({ host: flags.host, port: flags.controlPort, about }).catch(refuse)
  const control = `http://${listening.host}:${listening.port}`
  const dns =
    flags.dnsPort === undefined ? undefined : await aws.dns.listen({ host: flags.host, port: flags.dnsPort }).catch(refuse)
  const asked = dns === undefined ? '' : `, DNS of the zones: dig @${dns.host} -p ${dns.port}`
  const authority = flags.tls ? await authorityFile(aws.ca, 'aws') : undefined
  tellText(
    `AWS at ${endpoint}, calls and reasons at ${control}${asked} (Ctrl-C stops it); use it with:\nexport ${exportsOf({ ...clientEnvironment(aws, { address: endpoint, region: flags.region, authority: authority?.path }), [controlVariable]: control })}`,
  )
  await untilStopped(() => aws.snapshot(), file, signal)
  await authority?.remove()
  await aws.close()
}

function exportsOf(environment: Readonly<Record<string, string>>): string {
  return Object.entries(environment)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
}

/** Options that only the emulator can judge: knobs, accounts, and what is in the file. */
function orRefused(command: Command, make: () => Aws): Aws {
  try {
    return make()
  } catch (error) {
    if (error instanceof TypeError) return command.error(`error: ${error.message}`)
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
