<?php

/**
 * X-H-AUTH-SIG of the Operator API and the Game Engine API, with PHP's standard library alone (8.1 or later).
 * A JSON number is a Number: its text as written in the body, so that 10.00 is signed as 10.00.
 * What cannot be read or signed throws JsonException or InvalidArgumentException: answer it with 400.
 */

declare(strict_types=1);

namespace RgsSignature;

use InvalidArgumentException;

/** What is signed after secret, X-H-AUTH-ID and X-H-TIMESTAMP, in order. "?": left out if absent. */
const OPERATOR_API = [
    'doTransactions' => 'playerId gameCode gameRound transactions', // of each its hash, then its amount
    'getBalance' => 'playerId currency gameCode?',
    'assignPlayerFreerounds' => 'playerId gameCode serial currency stake count',
    'getStats' => '', 'getGameList' => '', 'getGameConfiguration' => 'gameCode currency',
    'getGameURL' => 'playerId? gameCode currency language mode',
];
/** Calls of the RGS to a game provider. A provider's own calls sign their body: sign_body. */
const TO_PROVIDER = [
    'getGameConfiguration' => 'currency', 'getGameResult' => 'gameRound', 'doAutoClose' => 'gameRound',
    'health' => '', 'certifiedfiles' => '',
];

final class Number
{
    public function __construct(public readonly string $text) {}
}

/**
 * The value of a body: an object is a stdClass, a list an array. json_decode loses the text of a number, so each is put
 * into an object with a random key first.
 */
function read_json(string $body): mixed
{
    json_decode($body, false, 64, JSON_THROW_ON_ERROR);
    $key = bin2hex(random_bytes(16));
    $outsideStrings = '/"(?:[^"\\\\]++|\\\\.)*+"(*SKIP)(*FAIL)|-?\d++(?:\.\d++)?(?:[eE][+-]?\d++)?/';
    $marked = preg_replace($outsideStrings, "{\"$key\":\"$0\"}", $body) ?? throw new InvalidArgumentException('too long');
    $numbers = function (mixed $value) use (&$numbers, $key): mixed {
        if (is_array($value)) return array_map($numbers, $value);
        if (!is_object($value)) return $value;
        return isset($value->$key) ? new Number($value->$key) : (object) array_map($numbers, (array) $value);
    };
    return $numbers(json_decode($marked, false, 65, JSON_THROW_ON_ERROR));
}

/** The signed fields of a message, by its entry in OPERATOR_API or TO_PROVIDER: string, and Number for an amount. */
function fields_of(string $names, mixed $message): array
{
    $fields = [];
    foreach (array_filter(explode(' ', $names)) as $name) {
        $value = member($message, rtrim($name, '?'));
        if ($name === 'transactions') {
            foreach (is_array($value) ? $value : throw new InvalidArgumentException('transactions is not a list') as $one) {
                $fields[] = text_of(member($one, 'hash'));
                if (member($one, 'amount') !== null) $fields[] = amount_of(member($one, 'amount'));
            }
        } elseif ($value !== null || !str_ends_with($name, '?')) {
            $isNumber = $value instanceof Number && ($name === 'stake' || $name === 'count');
            $fields[] = text_of($isNumber ? $value->text : $value);
        }
    }
    return $fields;
}

function member(mixed $of, string $name): mixed
{
    return is_object($of) ? $of->$name ?? null : null;
}

function text_of(mixed $value): string
{
    if (is_string($value) && preg_match('/[#\x00-\x1f\x7f-\x{9f}]/u', $value) === 0) return $value;
    throw new InvalidArgumentException('a signed field is missing, of the wrong type, or has a # or a control character');
}

function amount_of(mixed $value): Number
{
    if ($value instanceof Number && strlen($value->text) <= 40 && !preg_match('/e[+-]?\d{3}/i', $value->text)) return $value;
    throw new InvalidArgumentException('an amount is of the wrong type or too long');
}

/** The texts that an amount adds: none for a zero, and 10.5 for 10.50 in short. */
function spelt(string|Number $field, bool $inShort): array
{
    if (is_string($field)) return [$field];
    preg_match('/^(-?)(\d+)\.?(\d*)(?:[eE]([+-]?\d+))?$/', $field->text, $part);
    [, $sign, $whole, $fraction] = $part;
    if (trim($whole . $fraction, '0') === '') return [];
    if (!$inShort) return [$field->text];
    $digits = str_repeat('0', 99) . $whole . $fraction . str_repeat('0', 99);
    $point = 99 + strlen($whole) + (int) ($part[4] ?? 0);
    $whole = ltrim(substr($digits, 0, $point), '0');
    return [$sign . ($whole === '' ? '0' : $whole) . rtrim('.' . rtrim(substr($digits, $point), '0'), '.')];
}

/** X-H-AUTH-SIG of a call whose fields are signed. */
function sign(string $secret, string $authId, string $timestamp, array $fields, bool $inShort = false): string
{
    $texts = array_merge([], ...array_map(fn ($field) => spelt($field, $inShort), $fields));
    return mac($secret, implode('#', [$secret, $authId, $timestamp, ...$texts]));
}

/** Whether a signature is right, for the amounts as sent or in short. */
function verify(string $secret, string $authId, string $timestamp, array $fields, string $signature): bool
{
    $asSent = hash_equals(sign($secret, $authId, $timestamp, $fields), $signature);
    return hash_equals(sign($secret, $authId, $timestamp, $fields, true), $signature) || $asSent;
}

/** X-H-AUTH-SIG of a game provider's call: its body as sent, '' if it has none. */
function sign_body(string $secret, string $timestamp, string $body): string
{
    return mac($secret, $body . '#' . $timestamp);
}

/** Whether a game provider's signature is right. Some sign {} where there is no body. */
function verify_body(string $secret, string $timestamp, string $body, string $signature): bool
{
    $asSent = hash_equals(sign_body($secret, $timestamp, $body), $signature);
    return $asSent || ($body === '' && hash_equals(sign_body($secret, $timestamp, '{}'), $signature));
}

function mac(string $secret, string $message): string
{
    return base64_encode(hash_hmac('sha256', $message, $secret, true));
}
