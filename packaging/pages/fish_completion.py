"""Completion for fish from what `--help` prints."""
from completion_values import value_of, words_of


def quoted(text):
    return "'" + text.replace('\\', '\\\\').replace("'", "\\'") + "'"


def taken(value):
    """What `complete` says of words with | between them, <file>, <folder> or <any>."""
    words = [word for word in value.split('|') if word and not word.startswith('<')]
    answer = []
    if '<folder>' in value:
        words.append('(__fish_complete_directories)')
    answer.append('-F' if '<file>' in value else '-f')
    if words:
        answer.append('-a ' + quoted(' '.join(words)))
    return ' '.join(answer)


def condition(program, command):
    """Where the words so far name this command and none below it."""
    if not program.commands:
        return ''
    parts = ['__fish_seen_subcommand_from ' + word for word in command.words]
    if command.commands:
        parts.append('not __fish_seen_subcommand_from ' + ' '.join(below.words[-1] for below in command.commands))
    return '-n ' + quoted('; and '.join(parts))


def script(program):
    lines = [f'# Completion of {program.program} for fish. Made from --help by packaging/pages.']
    for command in program.all():
        start = ' '.join(part for part in (f'complete -c {program.program}', condition(program, command)) if part)
        lines.append(f'{start} {taken(words_of(command))}')
        for below in command.commands:
            lines.append(f'{start} -a {below.words[-1]} -d {quoted(below.about[0])}')
        for option in command.options():
            names = ' '.join(('-l ' if name.startswith('--') else '-s ') + name.lstrip('-') for name in option.names)
            value = f' -r {taken(value_of(option))}' if option.takes_value else ''
            lines.append(f'{start} {names}{value} -d {quoted(option.text)}')
    return '\n'.join(lines) + '\n'
