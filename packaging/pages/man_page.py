"""Manual pages from what `--help` prints: one of a program, one of each of its commands with those below it."""
import re

from help_text import Command


def escaped(text):
    """Text as roff prints it unchanged; a hyphen is the character that a user types."""
    for plain, roff in (('\\', '\\e'), ('-', '\\-'), ("'", '\\(aq'), ('`', '\\(ga'), ('~', '\\(ti'), ('^', '\\(ha')):
        text = text.replace(plain, roff)
    return re.sub(r'^\.', r'\\&.', text)


def option_lines(option):
    head = ', '.join(f'\\fB{escaped(name)}\\fR' for name in option.names)
    if option.choices:
        head += ' {' + ','.join(f'\\fB{escaped(choice)}\\fR' for choice in option.choices) + '}'
    elif option.value:
        head += f' \\fI{escaped(option.value)}\\fR'
    if option.several:
        head += ' ...'
    text = option.text.rstrip('.') + '.'
    if option.required:
        text += ' Required.'
    if option.span:
        text += f' In {option.span}.'
    if option.default:
        text += f' Default: {option.default}.'
    if option.excludes:
        text += f' Not together with {option.excludes}.'
    if option.needs:
        text += f' Only together with {option.needs}.'
    return ['.TP', head, escaped(text)]


def described_lines(command, of):
    """Positionals and options; `of` names the command in the headings of a page with several."""
    lines = []
    for positional in command.positionals:
        repeated = ' ...' if positional.several else ''
        lines += ['.TP', f'\\fI{escaped(positional.name)}\\fR{repeated}', escaped(positional.text.rstrip('.') + '.')]
    for heading, options in command.groups:
        if heading != 'Options':
            lines += [f'.{of}', escaped(heading)]
        for option in options:
            lines += option_lines(option)
    return lines


def footer_lines(footer):
    """Prose is filled; commands, tables and files stay as they are."""
    lines, as_is = ['.PP'], False
    for line in footer:
        literal = bool(re.match(r'( |[{]|Example: |The same: )', line)) or '  ' in line
        if literal != as_is:
            lines += ['.nf'] if literal else ['.fi', '.PP']
            as_is = literal
        if line:
            lines.append(escaped(line))
    return lines + (['.fi'] if as_is else [])


def synopsis(command):
    usage = command.usage.replace('(1x)', '').removeprefix(command.full_name).strip()
    return ['.PP', f'\\fB{escaped(command.full_name)}\\fR {escaped(usage)}']


def sentence(text):
    return text if text.endswith('.') else text + '.'


def page(command: Command, about, version, date, see_also):
    """The page of a program or of a command of the first level, with everything below it. `about`: what it is, for
    the index; `see_also`: names of other pages."""
    name = '-'.join((command.program,) + command.words[:1])
    exit_status = [line for line in command.about if line.startswith('Exit status: ')]
    lines = ['.\\" Made from --help by packaging/pages.',
             f'.TH {escaped(name.upper())} 1 {date} "Blockloom {version}" "Blockloom"',
             '.SH NAME', f'{escaped(name)} \\- {escaped(about)}', '.SH SYNOPSIS']
    parts = [command] if not command.words else list(command.all())
    shown = [part for part in parts if not part.commands or not command.words]
    for part in shown:
        lines += synopsis(part)
    lines += ['.SH DESCRIPTION'] + [escaped(sentence(line)) for line in command.about
                                    if line not in exit_status and not line.startswith('Example: ')]
    if not command.words and command.commands:
        lines += ['.SH COMMANDS', f'Each has a page of its own, such as \\fB{escaped(name)}\\-'
                  f'{escaped(command.commands[0].words[0])}\\fR(1).']
        for below in command.commands:
            lines += ['.TP', f'\\fB{escaped(below.words[0])}\\fR', escaped(sentence(below.about[0]))]
    if len(shown) == 1:
        lines += ['.SH OPTIONS'] + described_lines(shown[0], 'SS')
    else:
        lines += ['.SH COMMANDS']
        for part in shown:
            lines += ['.SS', escaped(' '.join(part.words)), escaped(sentence(part.about[0]))]
            lines += described_lines(part, 'PP\n.B')
            # A command without a footer of its own has that of the one above it.
            if part.footer != command.footer:
                lines += footer_lines(part.footer)
    if exit_status:
        lines += ['.SH EXIT STATUS']
        for status in exit_status[0].removeprefix('Exit status: ').rstrip('.').split(', '):
            number, _, meaning = status.partition(' ')
            lines += ['.TP', f'\\fB{number}\\fR', escaped(sentence(meaning[0].upper() + meaning[1:]))]
    footer = command.footer + [line for line in command.about if line.startswith('Example: ')]
    if footer:
        lines += ['.SH NOTES'] + footer_lines(footer)
    lines += ['.SH SEE ALSO', ',\n'.join(f'\\fB{escaped(other)}\\fR(1)' for other in see_also if other != name)]
    return '\n'.join(lines) + '\n'


def pages(program: Command, about, version, date, others):
    """Pages by file name: the program's own and one of each command of the first level."""
    names = [f'{program.program}-{command.words[0]}' for command in program.commands]
    made = {f'{program.program}.1': page(program, about, version, date, sorted(names) + others)}
    for name, command in zip(names, program.commands):
        made[f'{name}.1'] = page(command, command.about[0], version, date, [program.program] + others)
    return made
