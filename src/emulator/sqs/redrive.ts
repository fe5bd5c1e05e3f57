// Where a queue puts what was received too often.

export interface Redrive {
  readonly account: string
  readonly region: string
  readonly name: string
  readonly receivesMax: number
}

/** `undefined`: the text is no redrive policy. */
export function redriveOf(text: string): Redrive | undefined {
  const { deadLetterTargetArn: arn, maxReceiveCount } = parsed(text)
  const [, , service, region = '', account = '', name = ''] = typeof arn === 'string' ? arn.split(':') : []
  const receivesMax = Number(maxReceiveCount)
  const isCount = Number.isInteger(receivesMax) && receivesMax >= 1 && receivesMax <= 1_000
  return service === 'sqs' && name !== '' && isCount ? { account, region, name, receivesMax } : undefined
}

function parsed(text: string): { readonly deadLetterTargetArn?: unknown; readonly maxReceiveCount?: unknown } {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
