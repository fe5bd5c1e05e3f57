// A queue's URL says where it is and in which region.

export interface QueueAddress {
  readonly url: string
  /** The service's own address: a queue is asked where its URL says, also behind a VPC endpoint or in an emulator. */
  readonly endpoint: string
  /** Absent where the host does not tell. */
  readonly region: string | undefined
}

/** Throws with what is wrong. */
export function parseQueueUrl(text: string): QueueAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.pathname.length < 2)
    throw new Error(
      `${JSON.stringify(text)} is no URL of a queue, such as https://sqs.eu-west-1.amazonaws.com/111122223333/drift`,
    )
  const region = /(?:^|\.)sqs\.([a-z0-9-]+)\.(?:amazonaws|api\.aws|vpce)/.exec(url.hostname)?.[1]
  return { url: text, endpoint: url.origin, region }
}
