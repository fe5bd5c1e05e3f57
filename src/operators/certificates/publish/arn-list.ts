// ARNs in one text, separated by commas, as annotations of load balancers hold them. Those of others stay where they are.

export interface OwnArns {
  /** What is to stand there; `undefined` takes ours out. */
  readonly current: string | undefined
  /** What we wrote before. */
  readonly former: ReadonlySet<string>
  readonly isPrimary: boolean
}

/** The list with ours in it: in the place of the former one, first where it is the primary one, else last. */
export function withOwnArn(list: readonly string[], { current, former, isPrimary }: OwnArns): readonly string[] {
  const others = list.filter(arn => arn !== current && !former.has(arn))
  if (current === undefined) return others
  if (isPrimary) return [current, ...others]
  const place = list.findIndex(arn => arn === current || former.has(arn))
  if (place < 0) return [...others, current]
  const before = list.slice(0, place).filter(arn => others.includes(arn))
  return [...before, current, ...others.slice(before.length)]
}

export function parseArnList(text: string | undefined): readonly string[] {
  return [...new Set((text ?? '').split(',').map(part => part.trim()))].filter(part => part !== '')
}
