<?php
declare(strict_types=1);

/** `status` is 0 where no answer came; `errorCode` is one of docs/errors.md; `body` is the whole answer. */
class OveraError extends RuntimeException
{
    public bool $newKey = false;

    public function __construct(public readonly int $status, public readonly ?string $errorCode, public readonly mixed $body)
    {
        parent::__construct(($status ?: 'no answer') . ' ' . $errorCode);
    }
}

/** Nothing was issued, and waiting does not help. Correct the request; where `newKey`, the next one needs a new key. */
class OveraRefused extends OveraError {}

/** Nothing was issued. The same request with the same key, later. */
class OveraNotIssued extends OveraError {}

/** It may have been issued. The same request with the same key, later; nothing under another key. */
class OveraUnknown extends OveraError {}

/** Overa from PHP 8.1 or later with the curl extension. Copy this file into your project. */
final class Overa
{
    /** Seconds before a request is repeated that certainly issued nothing, or that got no answer. */
    private const PAUSES = [2, 5, 15];
    private ?string $token = null;
    private float $tokenUntil = 0;

    /** @param int $patience for how many seconds an unknown outcome is asked for before OveraUnknown is thrown */
    public function __construct(
        private string $baseUrl, private string $authUrl, private string $clientId, private string $clientSecret,
        private int $patience = 900, private ?Closure $sleep = null
    ) {
        $this->sleep ??= sleep(...);
    }

    /** Answers the body of a success. An array is sent as JSON, a string as CSV. Store the key with the order first: calling again with it is then safe in every case. */
    public function call(string $method, string $path, array|string|null $body = null, ?string $key = null): mixed
    {
        for ($attempts = 0, $waited = 0, $lost = false;;) {
            [$status, $headers, $answer] = $this->send($method, $path, $body, $key);
            if ($status >= 200 && $status < 300) return $answer;
            $document = self::documentIn($answer);
            $code = $document !== null ? $document['failureCode'] : (is_array($answer) ? $answer['code'] ?? $answer['error'] ?? null : null);
            // Once an answer was lost, only the stored document itself says that nothing was issued.
            $silent = $status === 0 || ($status >= 500 && ($code === null || $code === 'INTERNAL_ERROR'));
            $lost = $document === null && ($lost || $silent);
            $unknown = $document !== null && in_array($document['status'], ['SUBMITTING', 'OUTCOME_UNKNOWN', 'RECONCILING'], true);
            $asked = (int) ($headers['retry-after'] ?? 0);
            $again = isset($headers['retry-after']) || ($silent && ($key !== null || $method !== 'POST'));
            $pause = $unknown ? ($asked ?: 30) : (isset(self::PAUSES[$attempts]) ? max($asked, self::PAUSES[$attempts]) : null);
            if (!$again || $pause === null || ($unknown && $waited + $pause > $this->patience)) {
                throw self::error($status, $code, $answer, $document, $unknown || $lost, $again);
            }
            $unknown ? $waited += $pause : $attempts++;
            ($this->sleep)($pause);
        }
    }

    /**
     * The event of a message that one of the secrets (`whsec_…`) has signed within five minutes of now; null otherwise.
     * @param string $body byte for byte as received
     * @param array<string, string> $headers by their names in small letters
     * @param list<string> $secrets both, while one is rotated
     */
    public static function verifyWebhook(string $body, array $headers, array $secrets, ?int $now = null): ?array
    {
        [$id, $time, $signatures] = [$headers['webhook-id'] ?? '', $headers['webhook-timestamp'] ?? '', $headers['webhook-signature'] ?? ''];
        if ($id === '' || !preg_match('/^\d{1,12}$/D', $time) || abs(($now ?? time()) - (int) $time) > 300) return null;
        foreach ($secrets as $secret) {
            $key = str_starts_with($secret, 'whsec_') ? (string) base64_decode(substr($secret, 6)) : '';
            if ($key === '') continue;
            $own = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
            foreach (explode(' ', $signatures) as $one) if (hash_equals($own, $one)) return json_decode($body, true);
        }
        return null;
    }

    private static function error(int $status, ?string $code, mixed $answer, ?array $document, bool $mayExist, bool $again): OveraError
    {
        $isNotIssued = $again || ($document !== null && $document['status'] === 'NOT_FISCALIZED');
        $error = match (true) {
            $mayExist => new OveraUnknown($status, $code, $answer),
            $isNotIssued => new OveraNotIssued($status, $code, $answer),
            default => new OveraRefused($status, $code, $answer),
        };
        $error->newKey = $document !== null && $document['status'] === 'REJECTED';
        return $error;
    }

    /** The document that an answer is about: itself, or the current one of a case or a workflow. */
    private static function documentIn(mixed $body): ?array
    {
        if (!is_array($body)) return null;
        if (array_key_exists('cashRefundCopy', $body)) {
            // Whatever else stopped a refund, the refund itself may be signed.
            return ['status' => $body['status'] === 'FAILED' ? 'REJECTED' : 'OUTCOME_UNKNOWN'] + $body;
        }
        $inner = array_key_exists('advanceSales', $body) ? $body['current'] : (array_key_exists('source', $body) ? $body['document'] : $body);
        return is_array($inner) && array_key_exists('status', $inner) && array_key_exists('failureCode', $inner) ? $inner : null;
    }

    /** One attempt. A token that has ended is replaced once, and the same request sent again with the same key. */
    private function send(string $method, string $path, array|string|null $body, ?string $key): array
    {
        $content = $body === null || is_string($body) ? $body : json_encode($body, JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR);
        for ($tries = 0;; $tries++) {
            if ($this->token === null || $this->tokenUntil < microtime(true) + 30) {
                $form = http_build_query(['grant_type' => 'client_credentials', 'client_id' => $this->clientId, 'client_secret' => $this->clientSecret]);
                [$status, $headers, $granted] = self::http('POST', $this->authUrl, [], $form);
                if ($status !== 200) { // nothing was sent to the service itself
                    return $status > 0 && $status < 500 ? [$status, $headers, $granted] : [503, ['retry-after' => '2'], ['error' => 'no token']];
                }
                [$this->token, $this->tokenUntil] = [$granted['access_token'], microtime(true) + $granted['expires_in']];
            }
            $headers = ["Authorization: Bearer $this->token", 'Accept: application/json'];
            if ($key !== null) $headers[] = "Idempotency-Key: $key";
            if ($content !== null) $headers[] = 'Content-Type: ' . (is_string($body) ? 'text/csv' : 'application/json');
            $answer = self::http($method, rtrim($this->baseUrl, '/') . $path, $headers, $content);
            if ($answer[0] !== 401 || $tries > 0) return $answer;
            $this->token = null;
        }
    }

    private static function http(string $method, string $url, array $headers, ?string $content): array
    {
        $given = [];
        $request = curl_init($url);
        curl_setopt_array($request, [
            CURLOPT_CUSTOMREQUEST => $method, CURLOPT_HTTPHEADER => $headers, CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 60,
            CURLOPT_HEADERFUNCTION => function ($_, string $line) use (&$given): int {
                [$name, $value] = array_pad(explode(':', $line, 2), 2, '');
                $given[strtolower(trim($name))] = trim($value);
                return strlen($line);
            },
        ] + ($content === null ? [] : [CURLOPT_POSTFIELDS => $content]));
        $answer = curl_exec($request);
        if ($answer === false) return [0, [], null]; // refused, cut or timed out
        $status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
        if (!str_contains($given['content-type'] ?? '', 'json') || isset($given['etag'])) return [$status, $given, $answer];
        $read = json_decode($answer, true);
        return $read === null ? [0, [], null] : [$status, $given, $read];
    }
}
