// Changes of several claims that go to AWS as one call. AWS takes such a call whole or not at all: when it refuses one, the halves go apart,
// until the claim whose change is wrong has its error to itself.
import { AwsError } from '#aws'
import type { AwsClient } from '#aws/client'
import { Gathering, type Serve, type Settled } from '#cloud'
import type { ActContext } from '#runtime'
import type { CallAction } from './decide/actions.ts'
import { type OwnCalls, sendOwn } from './drift/own-calls.ts'
import type { Joining } from './kinds/deviation.ts'
import type { Values } from './model/request.ts'

interface Change {
  readonly input: Values
  /** Made by a create call, which is not repeated when its end is not known. */
  readonly isCreation: boolean
  checkFence(): void
}

export type Joint = Gathering<Change, Values>

export function jointCalls(joining: Joining | undefined): Joint {
  return new Gathering(joining?.max ?? 1)
}

export interface JoinedOptions {
  readonly joining: Joining
  readonly joint: Joint
  readonly client: AwsClient
  readonly action: CallAction
  readonly context: ActContext
  readonly ownCalls: OwnCalls
}

export function joined({ joining, joint, client, action, context, ownCalls }: JoinedOptions): Promise<Values> {
  const { call, place } = action
  const change: Change = {
    input: call.input,
    isCreation: call.verb === 'CREATE',
    checkFence: () => context.checkFence(),
  }
  const { account, region, role, endpoint } = place
  const topic = JSON.stringify([account, region, role, endpoint, joining.topic(call.input)])
  return joint.ask({ topic, question: change, signal: context.signal, serve: sending(joining, client, ownCalls) })
}

function sending(joining: Joining, client: AwsClient, ownCalls: OwnCalls): Serve<Change, Values> {
  const send = async (changes: readonly Change[], signal: AbortSignal): Promise<readonly Settled<Values>[]> => {
    const input = joining.join(changes.map(change => change.input))
    const retryAmbiguous = !changes.some(({ isCreation }) => isCreation)
    try {
      const value = await sendOwn(
        client,
        { operation: joining.operation, input },
        { signal, retryAmbiguous, beforeTry: () => changes[0]?.checkFence(), ownCalls },
      )
      return changes.map(() => ({ ok: true, value }))
    } catch (error) {
      if (changes.length === 1 || !(error instanceof AwsError) || !joining.splits(error))
        return changes.map(() => ({ ok: false, error }))
      const half = Math.ceil(changes.length / 2)
      return [...(await send(changes.slice(0, half), signal)), ...(await send(changes.slice(half), signal))]
    }
  }
  return async (changes, signal) => {
    const fenced = changes.map(fencedOff)
    const sent = await sendAll(send, { changes: changes.filter((_, index) => fenced[index] === undefined), signal })
    let next = 0
    return fenced.map(refusal => refusal ?? (sent[next++] as Settled<Values>))
  }
}

async function sendAll(
  send: Serve<Change, Values>,
  { changes, signal }: { readonly changes: readonly Change[]; readonly signal: AbortSignal },
): Promise<readonly Settled<Values>[]> {
  return changes.length === 0 ? [] : send(changes, signal)
}

/** A change that waited may belong to a process that does not lead any more. */
function fencedOff(change: Change): Settled<Values> | undefined {
  try {
    change.checkFence()
    return undefined
  } catch (error) {
    return { ok: false, error }
  }
}
