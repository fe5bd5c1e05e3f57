// `vouch dev`: the embedded world, something true happening in it, and then yours to try.
import { type Command, Option } from 'commander'
import type { DevWorld } from './world.ts'

interface Flags {
  readonly once: boolean
  readonly json: boolean
}

export function addDevCommand(program: Command): void {
  program
    .command('dev')
    .description('the embedded world: Kubernetes and AWS in this process, an operator at work, and a proof of the chain of trust')
    .option('--once', 'end after the proof; exit code 0 when all of it held', false)
    .addOption(new Option('--json', 'one JSON object a line, for programs').default(false))
    .action((flags: Flags) => run(flags))
}

async function run({ once, json }: Flags): Promise<void> {
  const started = performance.now()
  const { createScreen } = await import('./screen.ts')
  const screen = createScreen({
    write: text => process.stdout.write(text),
    elapsedMs: () => performance.now() - started,
    color: process.stdout.isTTY && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb',
    json,
  })
  const { openDevWorld } = await import('./world.ts')
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort(new Error(signal)))
  await using world = await openDevWorld()
  screen.chapter('Kubernetes and AWS, in one process')
  screen.line('done', `Kubernetes API server "edge" at ${world.clusterAddress}`)
  screen.line('done', `AWS at ${world.awsAddress}, permissions enforced, signatures verified`)
  const [{ mirrorChapter }, { trustChapter }] = await Promise.all([import('./mirror-chapter.ts'), import('./trust-chapter.ts')])
  const operator = await mirrorChapter(world, screen, stop.signal)
  const held = await trustChapter(world, screen)
  if (!once) {
    screen.block(invitation(world))
    await untilAborted(stop.signal)
  }
  stop.abort(new Error('done'))
  await operator.stopped
  process.exitCode = held ? 0 : 1
}

function invitation({ kubeconfig, awsAddress, aws }: DevWorld): string {
  const { accessKeyId, secretAccessKey } = aws.adminCredentials()
  return `It stays up until Ctrl-C. Try, in another terminal:

  export KUBECONFIG=${kubeconfig}
  kubectl get pods,serviceaccounts -n demo
  kubectl get pod reader -n demo -o yaml          what the webhook added
  kubectl delete configmap theme -n team-b        and look again: it heals
  kubectl create token reader -n demo --audience sts.amazonaws.com

  export AWS_ENDPOINT_URL=${awsAddress} AWS_REGION=us-east-1 AWS_ACCESS_KEY_ID=${accessKeyId} AWS_SECRET_ACCESS_KEY=${secretAccessKey}
  aws iam get-role --role-name demo-reader
  aws s3 ls s3://demo-data-7d1f
`
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
}
