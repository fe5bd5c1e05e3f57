// `vouch webhook aws`: the AWS pod identity webhook as a process, with the flag names of the program that it stands in for.
import { readFile } from 'node:fs/promises'
import { type Command } from 'commander'
import { load } from 'js-yaml'
import manifest from '../../package.json' with { type: 'json' }

const programName = 'aws-pod-identity-webhook'

export function addWebhookCommand(program: Command): void {
  const webhook = program.command('webhook').description('admission webhooks that give pods their cloud identity')
  webhook
    .command('aws')
    .description('the AWS pod identity webhook; --help lists its flags')
    .argument('[flags...]')
    .allowUnknownOption()
    .passThroughOptions()
    .helpOption(false)
    .action((args: readonly string[]) => runAws(args))
}

/** When the program was started under the name of the one it stands in for, its arguments are that one's. */
export function argumentsUnderName(argv: readonly string[]): readonly string[] {
  const [node = '', path = '', ...rest] = argv
  const name = path
    .split('/')
    .at(-1)
    ?.replace(/\.[cm]?js$/, '')
  return name === programName ? [node, path, 'webhook', 'aws', ...rest] : argv
}

async function runAws(args: readonly string[]): Promise<void> {
  const { awsFlags, FlagError, readAwsProgram, renderHelp, runAwsWebhook } = await import('#operators/pods')
  if (args.some(argument => /^--?h(elp)?$/.test(argument))) {
    process.stdout.write(renderHelp(programName, awsFlags))
    return
  }
  let program: ReturnType<typeof readAwsProgram>
  try {
    program = readAwsProgram(args, await readConfigFile(args))
  } catch (error) {
    if (!(error instanceof FlagError)) throw error
    console.error(`${error.message}\n(${programName} --help lists the flags)`)
    process.exitCode = 2
    return
  }
  if (program.showVersion) {
    console.log(`${programName} ${manifest.version} node ${process.version} ${process.platform}-${process.arch}`)
    return
  }
  const { createLog, systemClock, systemSeams } = await import('#base')
  const log = createLog({
    clock: systemClock,
    form: program.logFormat === 'json' ? 'json' : 'console',
    level: program.webhook.verbosity >= 5 ? 'debug' : 'info',
  })
  const stop = new AbortController()
  const onSignal = (): void => {
    if (stop.signal.aborted) process.exit(1)
    stop.abort(new Error('a signal to stop'))
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  try {
    await runAwsWebhook({ program, seams: systemSeams(process.env, { log }), version: manifest.version }, stop.signal)
    process.exit(0)
  } catch (error) {
    log.error('cannot start', { error: (error as Error).message })
    process.exit(1)
  }
}

/** `--config`: flags as keys of a YAML file. Its keys are checked as flags are. */
async function readConfigFile(args: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { FlagError } = await import('#operators/pods')
  const at = args.findIndex(argument => /^--?config(=|$)/.test(argument))
  if (at < 0) return new Map()
  const path = args[at]?.split('=')[1] ?? args[at + 1] ?? ''
  let value: unknown
  try {
    value = load(await readFile(path, 'utf8'))
  } catch (error) {
    throw new FlagError(`--config ${path}: ${(error as Error).message}`)
  }
  if (value === null || value === undefined) return new Map()
  if (typeof value !== 'object' || Array.isArray(value)) throw new FlagError(`--config ${path}: it is no map of flags`)
  return new Map(Object.entries(value).map(([name, setting]) => [name, String(setting)]))
}
