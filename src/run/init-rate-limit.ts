/** A scenario that tests a rate limit of the specification in real time. The shipped one is for a sandbox whose minutes pass in seconds. */
export const RATE_LIMIT = `# yaml-language-server: $schema=./scenario.schema.json
# A rate limit of 20 requests per minute from both sides, in real time: more than twice as many at once, then just before and just
# after a reset. For another limit change the counts, and the pauses if its window is not a minute. Reads only.
# Costs 96 requests, 1 token, 0 new messages, and two minutes.
#   spillway run scenarios/rate-limit.yaml
#   spillway run scenarios/rate-limit.yaml --profile scenarios/profiles/service.yaml
name: rate-limit
description: More than twice the limit at once, refused, then refilled, then just before and just after a reset.
sandbox: { startTime: "2026-01-15T09:00:00Z" }
journeys:
  both-sides:
    onRefused: continue
    steps:
      # 41 at once: no reading of the limit admits so many within a minute.
      - createConversation: {}
      - burst: { of: readHistory, count: 40 }
      # Refused; waits as Retry-After says, or for a minute; then the first request of a new minute.
      - readHistory: {}
        onRefused: { retry: { max: 3, backoff: { first: 61s } } }
        expect: { status: 200 }
      # Late in that minute the other 19, and 2 too many; then across the reset, one after the other.
      - pause: 50s
      - burst: { of: readHistory, count: 21 }
      - pause: 7s
      - burst: { of: readHistory, count: 32, gap: 400ms }
load: { model: burst, count: 1 }
deadline: 5min
`;
