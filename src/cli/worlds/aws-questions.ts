// Questions to a running `vouch aws`: why was this call answered so, and can this pod do that?
import type { Command } from 'commander'
import type { About, AwsCall, Explanation } from '#emulator'
import { exitCode } from '../frame/exit-codes.ts'
import { tell, warn } from '../frame/print.ts'

/** Where `vouch aws` has its control page when no port was chosen. */
export const defaultControlPort = 4567

/** Names the control page in the environment; `vouch aws` and `vouch dev` print it with the rest of what clients need. */
export const controlVariable = 'VOUCH_AWS_CONTROL'

interface Pod {
  readonly control?: string
  readonly namespace: string
  readonly serviceAccount: string
  readonly roleArn?: string
  readonly issuer?: string
  readonly audience: string
  readonly cluster?: string
}

export function addAwsQuestions(aws: Command): void {
  const control = [
    '--control <url>',
    `address of the control page; default: ${controlVariable} of the environment, then http://127.0.0.1:${defaultControlPort}`,
  ] as const
  aws
    .command('explain')
    .description('why a call was answered as it was: every link that was looked at, the deciding one last')
    .argument('[request-id]', 'the request id of the answer; without it the latest call that was refused')
    .option(...control)
    .action((requestId: string | undefined, options: { readonly control?: string }, command: Command) =>
      orError(command, async () => {
        const query = requestId === undefined ? {} : { request: requestId }
        const explanation = await ask<Explanation & { readonly call: AwsCall }>(options.control, 'explain', query)
        const { service, operation, caller, atMs } = explanation.call
        const at = new Date(atMs).toISOString()
        print(
          `${explanation.decision}: ${service} ${operation} by ${caller}, ${at}, request ${explanation.requestId}`,
          explanation,
        )
      }),
    )
  aws
    .command('can')
    .description('whether a pod may do that, by web identity (--issuer, --role-arn) or EKS pod identity (--cluster)')
    .argument('<action>', 'such as s3:GetObject')
    .argument('[resource]', 'its ARN', '*')
    .requiredOption('-n, --namespace <name>', 'of the pod')
    .requiredOption('--service-account <name>', 'of the pod')
    .option('--issuer <url>', 'issuer of the pod’s tokens')
    .option('--role-arn <arn>', 'the role that the pod is to assume')
    .option('--audience <name>', 'of the pod’s tokens', 'sts.amazonaws.com')
    .option('--cluster <name>', 'the EKS cluster of the pod')
    .option(...control)
    .action((action: string, resource: string, pod: Pod, command: Command) => orError(command, () => can(action, resource, pod)))
}

/** Tells why a question could not be asked. No stack: the person who asks can mend it. */
async function orError(command: Command, question: () => Promise<void>): Promise<void> {
  try {
    await question()
  } catch (error) {
    command.error(`error: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function can(action: string, resource: string, pod: Pod): Promise<void> {
  const { namespace, serviceAccount, issuer, roleArn, audience, cluster } = pod
  if ((issuer === undefined || roleArn === undefined) && cluster === undefined)
    throw new Error('say how the pod gets its credentials: --issuer and --role-arn, or --cluster')
  if (!/^[a-z0-9-]+:[A-Za-z]/.test(action))
    throw new Error(`"${action}" is no action: its service stands before it, as in s3:GetObject`)
  const subject = `system:serviceaccount:${namespace}:${serviceAccount}`
  const by =
    issuer !== undefined && roleArn !== undefined
      ? { issuer, roleArn, audience, subject }
      : { cluster: cluster ?? '', namespace, serviceAccount }
  const explanation = await ask<Explanation>(pod.control, 'can-pod', { action, resource, ...by })
  print(`${explanation.decision}: ${action} on ${resource} for ${namespace}/${serviceAccount}`, explanation)
  process.exitCode = exitCode('aws can', explanation.decision === 'denied' ? 'failed' : 'may')
}

async function ask<Answer>(
  named: string | undefined,
  question: string,
  query: Readonly<Record<string, string>>,
): Promise<Answer> {
  const control = named ?? process.env[controlVariable] ?? `http://127.0.0.1:${defaultControlPort}`
  const about = await get<Partial<About>>(control, 'about', {})
  const { owner = 'an emulator that does not say whose it is', endpoint = 'an address that it does not say' } = about
  const meant = process.env['AWS_ENDPOINT_URL']
  // A person who names the page means that page. Otherwise it has to be the page of the AWS that his other commands speak to.
  if (named === undefined && meant !== undefined && meant !== about.endpoint)
    throw new Error(
      `${control} is ${owner}, whose AWS is at ${endpoint}; your AWS_ENDPOINT_URL is ${meant}: name the page of that one by --control`,
    )
  const answer = await get<Answer>(control, question, query)
  warn(`(answered by ${owner}, whose AWS is at ${endpoint})`)
  return answer
}

/** Reads the answer of the control page, which is ours and documents its form. */
async function get<Answer>(control: string, question: string, query: Readonly<Record<string, string>>): Promise<Answer> {
  const response = await fetch(`${control}/_emulator/${question}?${new URLSearchParams(query).toString()}`).catch(
    (error: unknown) => {
      throw new Error(`no emulator answers at ${control}; is \`vouch aws\` running, with this control port?`, { cause: error })
    },
  )
  const body = (await response.json()) as Answer & { readonly error?: string }
  if (!response.ok) throw new Error(body.error ?? `the emulator answered ${response.status}`)
  return body
}

function print(first: string, { steps }: Explanation): void {
  tell(first)
  for (const step of steps) tell(`  ${step.holds ? 'holds ' : 'BROKEN'}  ${step.link}: ${step.detail}`)
}
