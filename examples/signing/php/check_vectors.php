<?php

// Signs and verifies every vector of the files named: php check_vectors.php signature.json engine.json

declare(strict_types=1);

namespace RgsSignature;

require __DIR__ . '/rgs_signature.php';

/** The signature of the vector as this helper makes it, and whether it accepts the vector's own. */
function check(array $vector): array
{
    ['secret' => $secret, 'timestamp' => $timestamp, 'signature' => $signature] = $vector;
    $body = $vector['body'] ?? '';
    if (($vector['direction'] ?? '') === 'toService')
        return [sign_body($secret, $timestamp, $body), verify_body($secret, $timestamp, $body, $signature)];
    parse_str($vector['query'] ?? '', $query);
    $names = isset($vector['operation']) ? OPERATOR_API[$vector['operation']] : TO_PROVIDER[$vector['call']];
    $caller = $vector['operatorId'] ?? $vector['gameProviderId'];
    try {
        $fields = fields_of($names, $body === '' ? (object) $query : read_json($body));
    } catch (\InvalidArgumentException | \JsonException) {
        return [null, false];
    }
    $accepted = verify($secret, $caller, $timestamp, $fields, $signature);
    return [sign($secret, $caller, $timestamp, $fields), $accepted];
}

$wrong = 0;
foreach (array_slice($argv, 1) as $path) {
    $vectors = json_decode((string) file_get_contents($path), true, 512, JSON_THROW_ON_ERROR)['vectors'];
    foreach ($vectors as $vector) {
        [$made, $accepted] = check($vector);
        // A receiver accepts a second spelling in some vectors, which this helper does not sign.
        $isSecond = str_contains($vector['why'], 'shortest') || str_contains($vector['why'], 'in place of');
        if ($accepted !== $vector['valid'] || ($vector['valid'] && !$isSecond && $made !== $vector['signature'])) {
            $wrong++;
            echo 'wrong: ', $vector['operation'] ?? $vector['call'], ": {$vector['why']}\n";
        }
    }
    echo "$path: ", count($vectors), " vectors\n";
}
echo "$wrong wrong\n";
exit($wrong === 0 ? 0 : 1);
