"""Completion for bash from what `--help` prints; it needs no package but bash."""
from completion_values import value_of, words_of

# What is made is tables and these functions, which walk the words before the cursor through the tables.
SCRIPT = r'''# Completion of @program@ for bash. Made from --help by packaging/pages.

# What can follow a command ($1): its commands, its options with what each takes, and what its positionals take.
@name@_command() {
    case $1 in
@commands@
    *) return 1 ;;
    esac
}

# Completes what an option or a positional takes ($1): words with | between them, <file>, <folder> or <any>.
@name@_value() {
    local word
    local IFS='|'
    for word in $1; do
        case $word in
        '<any>') ;;
        '<file>') compopt -o filenames 2>/dev/null; mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$2") ;;
        '<folder>') compopt -o filenames 2>/dev/null; mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "$2") ;;
        *) [[ $word != "$2"* ]] || COMPREPLY+=("$word") ;;
        esac
    done
}

@name@_complete() {
    local current=${COMP_WORDS[COMP_CWORD]} at='' pending='' only_positionals='' word option i
    local commands options positionals
    COMPREPLY=()
    @name@_command ''
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ -n $pending ]]; then
            [[ $word == = ]] || pending=''
        elif [[ $word == -- ]]; then
            only_positionals=yes
        elif [[ $word == -* && -z $only_positionals ]]; then
            for option in $options; do
                [[ $option != "$word:"* ]] || pending=${option#*:}
            done
        elif [[ " $commands " == *" $word "* && -z $only_positionals ]]; then
            at=${at:+$at }$word
            @name@_command "$at"
        fi
    done
    if [[ -n $pending ]]; then
        [[ $current != = ]] || current=''
        @name@_value "$pending" "$current"
    elif [[ $current == -* && -z $only_positionals ]]; then
        for option in $options; do
            [[ $option != "$current"* ]] || COMPREPLY+=("${option%%:*}")
        done
    elif [[ -n $commands ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$current")
    else
        @name@_value "$positionals" "$current"
    fi
}

complete -F @name@_complete @program@
'''


def script(program):
    table = []
    for command in program.all():
        options = []
        for option in command.options():
            taken = ':' + value_of(option) if option.takes_value else ''
            options += [name + taken for name in option.names]
        table.append(f"    '{' '.join(command.words)}')\n"
                     f"        commands='{' '.join(below.words[-1] for below in command.commands)}'\n"
                     f"        options='{' '.join(options)}'\n"
                     f"        positionals='{words_of(command)}' ;;")
    name = '_' + program.program.replace('-', '_')
    return SCRIPT.replace('@commands@', '\n'.join(table)).replace('@name@', name).replace('@program@', program.program)
