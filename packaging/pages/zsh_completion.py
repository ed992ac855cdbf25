"""Completion for zsh from what `--help` prints: a function of each command, with the specifications of _arguments."""
from completion_values import value_of, words_of


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def described(text):
    """Text inside the brackets of a specification."""
    for mark in '\\[]:':
        text = text.replace(mark, '\\' + mark)
    return text


def action(value):
    """What _arguments completes for words with | between them, <file>, <folder> or <any>."""
    words = ' '.join(word for word in value.split('|') if word and not word.startswith('<'))
    if '<file>' in value:
        return f'{{ compadd -- {words}; _files }}' if words else '_files'
    if '<folder>' in value:
        return '_files -/'
    return f'({words})' if words else ' '


def specifications(command):
    for option in command.options():
        value = f':{described(option.value or "value")}:{action(value_of(option))}' if option.takes_value else ''
        several = '*' if option.several else ''
        for name in option.names:
            others = '' if several else '(' + ' '.join(option.names) + ')'
            yield quoted(f'{others}{several}{name}[{described(option.text)}]{value}')
    if command.commands:
        yield quoted('1:command:(('
                     + ' '.join(f'{below.words[-1]}\\:"{described(below.about[0])}"' for below in command.commands) + '))')
        yield quoted('*:: :->below')
    elif command.positionals:
        yield quoted(f'*:{command.positionals[0].name}:{action(words_of(command))}')


def script(program):
    def name(command):
        return '_' + '_'.join((command.program,) + command.words).replace('-', '_')

    lines = [f'#compdef {program.program}', '# Made from --help by packaging/pages.']
    for command in program.all():
        lines += ['', f'{name(command)}() {{', '    local state line']
        lines += ['    _arguments -C \\'] + [f'        {each} \\' for each in specifications(command)]
        lines[-1] = lines[-1].removesuffix(' \\')
        if command.commands:
            lines += ['    [[ $state == below ]] || return', '    case $words[1] in']
            lines += [f'    {below.words[-1]}) {name(below)} ;;' for below in command.commands]
            lines += ['    esac']
        lines += ['}']
    lines += ['', f'{name(program)} "$@"']
    return '\n'.join(lines) + '\n'
