// For tests of "no input stalls us": how long a piece of work holds the processor, whatever else the machine does at the time.

/** What the yardstick takes on the machine on which the limits of our tests were chosen. */
const yardstickMs = 30
const takesMax = 5

/**
 * The processor time of `work`, the least of several takes, in milliseconds of the machine of the yardstick. Work that needs too long needs it each
 * time; a collection of garbage, a compilation or a neighbour of the machine lengthens one take. No take follows one that is within the limit.
 */
export function leastProcessorMs(work: () => void, limitMs: number): number {
  let least = processorMs(work)
  for (let take = 1; least > limitMs && take < takesMax; take++) {
    const slowness = Math.max(1, processorMs(yardstick) / yardstickMs)
    least = Math.min(least, processorMs(work) / slowness)
  }
  return least
}

function processorMs(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

const text = JSON.stringify(Array.from({ length: 4_000 }, (_, index) => ({ name: `n${index}`, list: [index, 'x', null] })))

/** What readers do: characters one by one, many small objects. */
function yardstick(): void {
  for (let round = 0; round < 10; round++) {
    let sum = 0
    for (let at = 0; at < text.length; at++) sum += text.charCodeAt(at)
    if (JSON.stringify(JSON.parse(text)).length !== text.length || sum === 0)
      throw new Error('the yardstick does not read what it wrote')
  }
}
