function __realm_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __realm_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __realm_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __realm_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __realm_parse_tokens -S
    set -l unparsed_tokens (__realm_tokens -pc)
    switch $unparsed_tokens[1]
    case 'realm'
        __realm_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'info'
            __realm_parse_subcommand 1 'key=' 'key-file=' 'json' 'version' 'h/help'
        case 'schema'
            __realm_parse_subcommand 1 'key=' 'key-file=' 'swift' 'json' 'version' 'h/help'
        case 'dump'
            __realm_parse_subcommand 1 'key=' 'key-file=' 'history' 'json' 'version' 'h/help'
        case 'query'
            __realm_parse_subcommand 2 'key=' 'key-file=' 'class=' 'json' 'csv' 'explain' 'limit=' 'version' 'h/help'
        case 'check'
            __realm_parse_subcommand 1 'key=' 'key-file=' 'strict' 'json' 'version' 'h/help'
        case 'pins'
            __realm_parse_subcommand 1 'key=' 'key-file=' 'json' 'version' 'h/help'
        case 'stats'
            __realm_parse_subcommand 1 'key=' 'key-file=' 'json' 'version' 'h/help'
        case 'copy'
            __realm_parse_subcommand 2 'key=' 'key-file=' 'new-key=' 'new-key-file=' 'decrypt' 'new-version' 'json' 'version' 'h/help'
        case 'compact'
            __realm_parse_subcommand 1 'key=' 'key-file=' 'json' 'version' 'h/help'
        case 'upgrade'
            __realm_parse_subcommand 1 'key=' 'key-file=' 'backup' 'no-backup' 'local' 'json' 'version' 'h/help'
        case 'keygen'
            __realm_parse_subcommand 1 'json' 'version' 'h/help'
        case 'diff'
            __realm_parse_subcommand 2 'key=' 'key-file=' 'other-key=' 'other-key-file=' 'json' 'version' 'h/help'
        case 'export'
            __realm_parse_subcommand -r 2 'key=' 'key-file=' 'format=' 'out=' 'json' 'query=' 'spreadsheet' 'version' 'h/help'
        case 'import'
            __realm_parse_subcommand 2 'key=' 'key-file=' 'from=' 'class=' 'map=+' 'primary-key=' 'update' 'dry-run' 'skip-bad' 'json' 'version' 'h/help'
        case 'salvage'
            __realm_parse_subcommand 2 'key=' 'key-file=' 'json' 'version' 'h/help'
        case 'sync-log'
            __realm_parse_subcommand 1 'key=' 'key-file=' 'forms' 'json' 'version' 'h/help'
        case 'shell'
            __realm_parse_subcommand 1 'key=' 'key-file=' 'write' 'json' 'version' 'h/help'
        case 'watch'
            __realm_parse_subcommand 1 'key=' 'key-file=' 'json' 'colour' 'no-colour' 'version' 'h/help'
        case 'studio'
            __realm_parse_subcommand 1 'key=' 'key-file=' 'write' 'host=' 'port=' 'open' 'json' 'version' 'h/help'
        case 'help'
            __realm_parse_subcommand -r 1 'version'
        end
    end
end

function __realm_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __realm_parse_subcommand -S -a positional_count
    argparse -s r -- $argv
    set -l option_specs $argv[2..]
    set -l is_repeating_positional $_flag_r
    set -el _flag_r
    set -a commands $unparsed_tokens[1]
    set positional_index 0
    while true
        set -e unparsed_tokens[1]
        argparse -sn "$commands" $option_specs -- $unparsed_tokens 2> /dev/null
        set unparsed_tokens $argv
        set positional_index (math $positional_index + 1)
        for non_repeating_flag_or_option in $non_repeating_flags_or_options
            if set -ql "_flag_$(string replace -a - _ -- $non_repeating_flag_or_option)"
                set non_repeating_flags_or_options_absent 1
                break
            end
        end
        test (count $unparsed_tokens) -eq 0 -o \( -z "$is_repeating_positional" -a "$positional_index" -gt "$positional_count" \) && break
    end
end

function __realm_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __realm_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__realm_tokens -p)
    if test -z "$(__realm_tokens -t)"
        set -l index (count (__realm_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'realm' -f
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm" version' -l 'version' -d 'Show the version.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realm' -n '__realm_should_offer_completions_for_positional "realm" -eq 1' -fa 'info' -d 'Prints the file\'s format, version, size and tables.'
complete -c 'realm' -n '__realm_should_offer_completions_for_positional "realm" -eq 1' -fa 'schema' -d 'Prints the classes and their properties.'
complete -c 'realm' -n '__realm_should_offer_completions_for_positional "realm" -eq 1' -fa 'dump' -d 'Prints all objects as JSON.'
complete -c 'realm' -n '__realm_should_offer_completions_for_positional "realm" -eq 1' -fa 'query' -d 'Prints the objects that a query selects.'
complete -c 'realm' -n '__realm_should_offer_completions_for_positional "realm" -eq 1' -fa 'check' -d 'Checks the whole file against the specification of the file format.'
complete -c 'realm' -n '__realm_should_offer_completions_for_positional "realm" -eq 1' -fa 'pins' -d 'Lists the programs that pin versions of the file.'
complete -c 'realm' -n '__realm_should_offer_completions_for_positional "realm" -eq 1' -fa 'stats' -d 'Prints the size in bytes of each class, property and index, and of the free space.'
complete -c 'realm' -n '__realm_should_offer_completions_for_positional "realm" -eq 1' -fa 'copy' -d 'Copies the newest version to a new file, without free space.'
complete -c 'realm' -n '__realm_should_offer_completions_for_positional "realm" -eq 1' -fa 'compact' -d 'Rewrites the file without its free space.'
complete -c 'realm' -n '__realm_should_offer_completions_for_positional "realm" -eq 1' -fa 'upgrade' -d 'Upgrades a file of an older format.'
complete -c 'realm' -n '__realm_should_offer_completions_for_positional "realm" -eq 1' -fa 'keygen' -d 'Generates a key for encrypting files.'
complete -c 'realm' -n '__realm_should_offer_completions_for_positional "realm" -eq 1' -fa 'diff' -d 'Prints the differences between the objects of two files.'
complete -c 'realm' -n '__realm_should_offer_completions_for_positional "realm" -eq 1' -fa 'export' -d 'Writes objects as JSON, CSV or a SQLite file, which \'realm import\' can read.'
complete -c 'realm' -n '__realm_should_offer_completions_for_positional "realm" -eq 1' -fa 'import' -d 'Adds the objects of a JSON, CSV or SQLite file to a database file.'
complete -c 'realm' -n '__realm_should_offer_completions_for_positional "realm" -eq 1' -fa 'salvage' -d 'Recovers all readable objects of a damaged file into a new file.'
complete -c 'realm' -n '__realm_should_offer_completions_for_positional "realm" -eq 1' -fa 'sync-log' -d 'Prints the history of a synchronised file.'
complete -c 'realm' -n '__realm_should_offer_completions_for_positional "realm" -eq 1' -fa 'shell' -d 'Runs queries and, with --write, changes, line by line.'
complete -c 'realm' -n '__realm_should_offer_completions_for_positional "realm" -eq 1' -fa 'watch' -d 'Prints the changes that other programs make to the file, as they happen.'
complete -c 'realm' -n '__realm_should_offer_completions_for_positional "realm" -eq 1' -fa 'studio' -d 'Shows the file in a browser.'
complete -c 'realm' -n '__realm_should_offer_completions_for_positional "realm" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm info" key' -l 'key' -d 'The key of an encrypted file: 128 hexadecimal digits.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm info" key-file' -l 'key-file' -d 'A file with the key: its 64 bytes, or 128 hexadecimal digits. Other users of this computer can see the arguments of a command, but not the contents of your files.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm info" json' -l 'json' -d 'Print JSON.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm info" version' -l 'version' -d 'Show the version.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm info" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm schema" key' -l 'key' -d 'The key of an encrypted file: 128 hexadecimal digits.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm schema" key-file' -l 'key-file' -d 'A file with the key: its 64 bytes, or 128 hexadecimal digits. Other users of this computer can see the arguments of a command, but not the contents of your files.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm schema" swift' -l 'swift' -d 'Print Swift model classes.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm schema" json' -l 'json' -d 'Print JSON.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm schema" version' -l 'version' -d 'Show the version.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm schema" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm dump" key' -l 'key' -d 'The key of an encrypted file: 128 hexadecimal digits.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm dump" key-file' -l 'key-file' -d 'A file with the key: its 64 bytes, or 128 hexadecimal digits. Other users of this computer can see the arguments of a command, but not the contents of your files.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm dump" history' -l 'history' -d 'Also print the changesets of the history.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm dump" json' -l 'json' -d 'Print JSON, which is the default.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm dump" version' -l 'version' -d 'Show the version.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm dump" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm query" key' -l 'key' -d 'The key of an encrypted file: 128 hexadecimal digits.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm query" key-file' -l 'key-file' -d 'A file with the key: its 64 bytes, or 128 hexadecimal digits. Other users of this computer can see the arguments of a command, but not the contents of your files.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm query" class' -l 'class' -d 'The class. The query then begins with its condition.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm query" json' -l 'json' -d 'Print a JSON array with one object per line.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm query" csv' -l 'csv' -d 'Print comma-separated values, with a header line.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm query" explain' -l 'explain' -d 'Print the steps of the query, with the expected and the actual number of objects.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm query" limit' -l 'limit' -d 'The maximum number of objects to print.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm query" version' -l 'version' -d 'Show the version.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm query" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm check" key' -l 'key' -d 'The key of an encrypted file: 128 hexadecimal digits.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm check" key-file' -l 'key-file' -d 'A file with the key: its 64 bytes, or 128 hexadecimal digits. Other users of this computer can see the arguments of a command, but not the contents of your files.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm check" strict' -l 'strict' -d 'Count remnants as violations.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm check" json' -l 'json' -d 'Print JSON.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm check" version' -l 'version' -d 'Show the version.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm check" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm pins" key' -l 'key' -d 'The key of an encrypted file: 128 hexadecimal digits.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm pins" key-file' -l 'key-file' -d 'A file with the key: its 64 bytes, or 128 hexadecimal digits. Other users of this computer can see the arguments of a command, but not the contents of your files.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm pins" json' -l 'json' -d 'Print JSON.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm pins" version' -l 'version' -d 'Show the version.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm pins" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm stats" key' -l 'key' -d 'The key of an encrypted file: 128 hexadecimal digits.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm stats" key-file' -l 'key-file' -d 'A file with the key: its 64 bytes, or 128 hexadecimal digits. Other users of this computer can see the arguments of a command, but not the contents of your files.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm stats" json' -l 'json' -d 'Print JSON.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm stats" version' -l 'version' -d 'Show the version.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm stats" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm copy" key' -l 'key' -d 'The key of an encrypted file: 128 hexadecimal digits.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm copy" key-file' -l 'key-file' -d 'A file with the key: its 64 bytes, or 128 hexadecimal digits. Other users of this computer can see the arguments of a command, but not the contents of your files.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm copy" new-key' -l 'new-key' -d 'The key that encrypts the copy: 128 hexadecimal digits.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm copy" new-key-file' -l 'new-key-file' -d 'A file with the key that encrypts the copy, as made by \'realm keygen\'.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm copy" decrypt' -l 'decrypt' -d 'Do not encrypt the copy.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm copy" new-version' -l 'new-version' -d 'Begin the copy at version 1, without the history.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm copy" json' -l 'json' -d 'Print JSON.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm copy" version' -l 'version' -d 'Show the version.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm copy" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm compact" key' -l 'key' -d 'The key of an encrypted file: 128 hexadecimal digits.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm compact" key-file' -l 'key-file' -d 'A file with the key: its 64 bytes, or 128 hexadecimal digits. Other users of this computer can see the arguments of a command, but not the contents of your files.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm compact" json' -l 'json' -d 'Print JSON.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm compact" version' -l 'version' -d 'Show the version.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm compact" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm upgrade" key' -l 'key' -d 'The key of an encrypted file: 128 hexadecimal digits.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm upgrade" key-file' -l 'key-file' -d 'A file with the key: its 64 bytes, or 128 hexadecimal digits. Other users of this computer can see the arguments of a command, but not the contents of your files.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm upgrade" backup' -l 'backup' -d 'Copy the file before it is changed.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm upgrade" no-backup' -l 'no-backup' -d 'Copy the file before it is changed.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm upgrade" local' -l 'local' -d 'Convert the file of a synchronised Realm to a local one.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm upgrade" json' -l 'json' -d 'Print JSON.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm upgrade" version' -l 'version' -d 'Show the version.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm upgrade" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm keygen" json' -l 'json' -d 'Print JSON.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm keygen" version' -l 'version' -d 'Show the version.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm keygen" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm diff" key' -l 'key' -d 'The key of an encrypted file: 128 hexadecimal digits.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm diff" key-file' -l 'key-file' -d 'A file with the key: its 64 bytes, or 128 hexadecimal digits. Other users of this computer can see the arguments of a command, but not the contents of your files.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm diff" other-key' -l 'other-key' -d 'The key of the second file, if it differs.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm diff" other-key-file' -l 'other-key-file' -d 'A file with the key of the second file.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm diff" json' -l 'json' -d 'Print JSON.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm diff" version' -l 'version' -d 'Show the version.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm diff" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm export" key' -l 'key' -d 'The key of an encrypted file: 128 hexadecimal digits.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm export" key-file' -l 'key-file' -d 'A file with the key: its 64 bytes, or 128 hexadecimal digits. Other users of this computer can see the arguments of a command, but not the contents of your files.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm export" format' -l 'format' -d 'The format: json, jsonl (a JSON object in each line), csv or sqlite.' -rfka 'json jsonl csv sqlite'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm export" out' -l 'out' -d 'The file to make or, for csv, the folder.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm export" json' -l 'json' -d 'With --out: print a report as JSON, with the number of objects and the values that could not be represented.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm export" query' -l 'query' -d 'Export only the objects of one class that this query selects.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm export" spreadsheet' -l 'spreadsheet' -d 'For csv: put an apostrophe in front of text that begins with = + - @, a tab or a carriage return, which spreadsheets interpret as formulas. \'realm import\' keeps the apostrophe.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm export" version' -l 'version' -d 'Show the version.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm export" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm import" key' -l 'key' -d 'The key of an encrypted file: 128 hexadecimal digits.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm import" key-file' -l 'key-file' -d 'A file with the key: its 64 bytes, or 128 hexadecimal digits. Other users of this computer can see the arguments of a command, but not the contents of your files.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm import" from' -l 'from' -d 'The format of the input: json, jsonl (a JSON object in each line), csv or sqlite. Without it, the format is inferred from the file name.' -rfka 'json jsonl csv sqlite'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm import" class' -l 'class' -d 'The class of objects that do not name one. Without it, the name of the file is used.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm import"' -l 'map' -d 'Renames a field (field=property), omits it (field=), or sets its type (field:int?). Types: int, bool, string, data, date, float, double, decimal, objectId, uuid, mixed, or a class for links.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm import" primary-key' -l 'primary-key' -d 'The property that becomes the primary key of new classes.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm import" update' -l 'update' -d 'Update existing objects that have the primary key of a record.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm import" dry-run' -l 'dry-run' -d 'Perform all steps, but discard the result.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm import" skip-bad' -l 'skip-bad' -d 'Skip records that do not fit.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm import" json' -l 'json' -d 'Print JSON.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm import" version' -l 'version' -d 'Show the version.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm import" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm salvage" key' -l 'key' -d 'The key of an encrypted file: 128 hexadecimal digits.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm salvage" key-file' -l 'key-file' -d 'A file with the key: its 64 bytes, or 128 hexadecimal digits. Other users of this computer can see the arguments of a command, but not the contents of your files.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm salvage" json' -l 'json' -d 'Print JSON.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm salvage" version' -l 'version' -d 'Show the version.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm salvage" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm sync-log" key' -l 'key' -d 'The key of an encrypted file: 128 hexadecimal digits.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm sync-log" key-file' -l 'key-file' -d 'A file with the key: its 64 bytes, or 128 hexadecimal digits. Other users of this computer can see the arguments of a command, but not the contents of your files.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm sync-log" forms' -l 'forms' -d 'Also print the instructions after merging them with the changes of others.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm sync-log" json' -l 'json' -d 'Print a JSON array with one version per line.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm sync-log" version' -l 'version' -d 'Show the version.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm sync-log" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm shell" key' -l 'key' -d 'The key of an encrypted file: 128 hexadecimal digits.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm shell" key-file' -l 'key-file' -d 'A file with the key: its 64 bytes, or 128 hexadecimal digits. Other users of this computer can see the arguments of a command, but not the contents of your files.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm shell" write' -l 'write' -d 'Allow lines to change the file.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm shell" json' -l 'json' -d 'Print objects as JSON, like .mode json.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm shell" version' -l 'version' -d 'Show the version.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm shell" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm watch" key' -l 'key' -d 'The key of an encrypted file: 128 hexadecimal digits.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm watch" key-file' -l 'key-file' -d 'A file with the key: its 64 bytes, or 128 hexadecimal digits. Other users of this computer can see the arguments of a command, but not the contents of your files.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm watch" json' -l 'json' -d 'Print one line of JSON for each object.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm watch" colour' -l 'colour' -d 'Print colours. By default, only if the output is a terminal.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm watch" no-colour' -l 'no-colour' -d 'Print colours. By default, only if the output is a terminal.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm watch" version' -l 'version' -d 'Show the version.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm watch" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm studio" key' -l 'key' -d 'The key of an encrypted file: 128 hexadecimal digits.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm studio" key-file' -l 'key-file' -d 'A file with the key: its 64 bytes, or 128 hexadecimal digits. Other users of this computer can see the arguments of a command, but not the contents of your files.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm studio" write' -l 'write' -d 'Allow the page to change the file.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm studio" host' -l 'host' -d 'The address to listen on. Any address except 127.0.0.1 allows unencrypted access from other machines.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm studio" port' -l 'port' -d 'The port. Without it, a free port is used.' -rfka ''
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm studio" open' -l 'open' -d 'Open the address in the browser.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm studio" json' -l 'json' -d 'Print the address as JSON.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm studio" version' -l 'version' -d 'Show the version.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm studio" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realm' -n '__realm_should_offer_completions_for_flags_or_options "realm help" version' -l 'version' -d 'Show the version.'