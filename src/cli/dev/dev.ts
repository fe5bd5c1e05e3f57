// `vouch dev`: the embedded world, the whole story told in it, and then yours to try.
import { type Command, Option } from 'commander'
import { stopBySignal } from '../stop-signal.ts'
import type { Screen } from './screen.ts'
import type { DevWorld } from './world.ts'

interface Flags {
  readonly once: boolean
  readonly json: boolean
  readonly watch: boolean
}

export function addDevCommand(program: Command): void {
  program
    .command('dev')
    .description(
      'the embedded world: three clusters and AWS in this process, the operators at work, and a proof of the chain of trust',
    )
    .option('--once', 'end after the proof; exit code 0 when all of it held', false)
    .option('--watch', 'apply the files of examples/quickstart again when they change', false)
    .addOption(new Option('--json', 'one JSON object a line, for programs').default(false))
    .action((flags: Flags) => run(flags))
}

async function run({ once, json, watch }: Flags): Promise<void> {
  const started = performance.now()
  const { createScreen } = await import('./screen.ts')
  const screen = createScreen({
    write: text => process.stdout.write(text),
    elapsedMs: () => performance.now() - started,
    color: process.stdout.isTTY && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb',
    json,
  })
  const stop = stopBySignal()
  screen.chapter('A hub, three clusters and AWS, in one process')
  const { openDevWorld } = await import('./world.ts')
  await using world = await openDevWorld()
  for (const { name, address } of [world.hub, world.edge, world.prod, world.stage]) {
    screen.line('done', `${name.padEnd(5)} ${address}   ${kinds[name] ?? ''}`)
  }
  screen.line('done', `AWS   ${world.awsAddress}   permissions enforced, signatures verified`)
  const { tellStory } = await import('./story.ts')
  const { held, stopped } = await tellStory(world, screen, stop.signal)
  if (!once) {
    screen.block(invitation(world))
    if (watch) void followFiles(world, screen, stop.signal)
    const { untilAborted } = await import('#base')
    await untilAborted(stop.signal)
  }
  stop.abort(new Error('done'))
  await stopped
  process.exitCode = held ? 0 : 1
}

const kinds: Readonly<Record<string, string>> = {
  hub: 'where the operators run',
  edge: 'a cluster of our own',
  prod: 'an EKS cluster with Pod Identity',
  stage: 'an EKS cluster with its OIDC issuer',
}

async function followFiles(world: DevWorld, screen: Screen, signal: AbortSignal): Promise<void> {
  const [{ watch }, { quickstartFolder }, { applyAgain }] = await Promise.all([
    import('node:fs/promises'),
    import('./quickstart.ts'),
    import('./story.ts'),
  ])
  screen.line('hint', `watching ${quickstartFolder}`)
  let last = 0
  try {
    for await (const { filename } of watch(quickstartFolder, { recursive: true, signal })) {
      // An editor saves in several steps; what comes within this time is one change.
      if (performance.now() - last < settleMs) continue
      await new Promise(resolve => setTimeout(resolve, settleMs))
      last = performance.now()
      screen.chapter(`${filename ?? 'a file'} changed`)
      try {
        await applyAgain(world, screen)
      } catch (error) {
        screen.line('failed', error instanceof Error ? error.message : String(error))
      }
    }
  } catch (error) {
    if (!signal.aborted) screen.line('failed', `watching the files ended: ${String(error)}`)
  }
}

const settleMs = 200

function invitation({ hub, edge, awsAddress, aws }: DevWorld): string {
  const { accessKeyId, secretAccessKey } = aws.adminCredentials()
  return `It stays up until Ctrl-C. Try, in another terminal:

  export KUBECONFIG=${hub.kubeconfig}
  kubectl get awic,awsar -A                                what is declared, and whether it is Ready
  kubectl describe awsar reader -n edge
  kubectl get roles.iam.services.k8s.aws,buckets -A        the AWS resources behind it

  kubectl --kubeconfig ${edge.kubeconfig} get pod reader -n demo -o yaml     what the webhook added

  export AWS_ENDPOINT_URL=${awsAddress} AWS_REGION=us-east-1 AWS_DEFAULT_REGION=us-east-1 AWS_ACCESS_KEY_ID=${accessKeyId} AWS_SECRET_ACCESS_KEY=${secretAccessKey}
  aws iam list-roles --query 'Roles[].RoleName'
  aws s3 ls

Break it, and watch it heal:

  kubectl --kubeconfig ${edge.kubeconfig} annotate sa reader -n demo eks.amazonaws.com/role-arn-
  kubectl --kubeconfig ${edge.kubeconfig} delete mutatingwebhookconfiguration pod-identity-webhook
  kubectl delete awsar reader -n stage                     and its role in IAM goes with it
`
}
