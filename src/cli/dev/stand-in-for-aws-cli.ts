// The program of the quickstart's pods, a process of its own: `s3 cp s3://BUCKET/KEY -`, as the AWS CLI has it. Its credentials come
// from the AWS SDK's default chain, unmodified: what that finds in the environment and the files of this process, and nothing else.
import type { Command } from 'commander'
import { warn } from '../frame/print.ts'

export function addStandInCommand(program: Command): void {
  program
    .command('aws-cli-stand-in', { hidden: true })
    .description('what the pods of the quickstart run in `vouch dev`')
    .argument('<words...>', 's3 cp s3://BUCKET/KEY -')
    .action((words: readonly string[]) => run(words))
}

async function run([service, operation, source = '', destination]: readonly string[]): Promise<void> {
  const place = /^s3:\/\/([^/]+)\/(.+)$/.exec(source)
  if (service !== 's3' || operation !== 'cp' || place === null || destination !== '-') {
    warn('this stand-in for the AWS CLI knows one command: s3 cp s3://BUCKET/KEY -')
    process.exitCode = 252
    return
  }
  try {
    process.stdout.write(await read(place[1] as string, place[2] as string))
  } catch (error) {
    warn(`fatal error: ${reasonOf(error)}`)
    process.exitCode = 1
  }
}

async function read(bucket: string, key: string): Promise<string> {
  const [{ defaultProvider }, { serviceModel }, { createAwsClient, netTransport, staticCredentials }, { systemSeams }] =
    await Promise.all([import('@aws-sdk/credential-provider-node'), import('#aws'), import('#aws/client'), import('#base')])
  const { clock, random, net, env } = systemSeams(process.env)
  const credentials = await defaultProvider()()
  const transport = netTransport(net)
  const s3 = createAwsClient({
    model: serviceModel('s3'),
    region: env['AWS_REGION'] ?? 'us-east-1',
    credentials: staticCredentials(credentials),
    endpoint: env['AWS_ENDPOINT_URL'],
    transport,
    clock,
    random,
  })
  try {
    const { Body: body } = await s3.call('GetObject', { Bucket: bucket, Key: key })
    return new TextDecoder().decode(body as Uint8Array)
  } finally {
    await transport.close()
  }
}

interface Refusal extends Error {
  readonly operation?: string
  readonly requestId?: string
  readonly $metadata?: { readonly requestId?: string }
}

/** One line, with the request's id, by which AWS can be asked why. Our client's errors and the SDK's keep it in different places. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { name, message, operation, requestId, $metadata }: Refusal = error
  const id = requestId ?? $metadata?.requestId
  return `${operation === undefined ? name : `${name} (${operation})`}: ${message}${id === undefined ? '' : ` [request ${id}]`}`
}
