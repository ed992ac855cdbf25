"""Reads what `--help` prints into commands, options and positionals.

Two forms are understood: CLI11's of blockloom-cli and QCommandLineParser's of blockloom. A line that fits neither is an
error, so that a change of the form is noticed when the pages are made and nothing is left out of them.
"""
import os
import re
import subprocess
from dataclasses import dataclass, field


@dataclass
class Option:
    """An option or a flag. `value` is as the help writes it, without choices and default; empty for a flag."""
    names: list[str]
    text: str
    value: str = ''
    choices: list[str] = field(default_factory=list)
    default: str = ''
    span: str = ''  # "1 to 4096"
    excludes: str = ''  # names of other options
    needs: str = ''
    several: bool = False
    required: bool = False
    value_optional: bool = False

    @property
    def takes_value(self):
        return bool(self.value or self.choices) and not self.value_optional


@dataclass
class Positional:
    name: str
    text: str
    several: bool = False
    required: bool = False


@dataclass
class Command:
    """A program (`words` empty) or one of its commands."""
    program: str
    words: tuple
    about: list[str]
    usage: str
    positionals: list[Positional] = field(default_factory=list)
    groups: list[tuple[str, list[Option]]] = field(default_factory=list)  # heading, options
    commands: list['Command'] = field(default_factory=list)
    footer: list[str] = field(default_factory=list)

    @property
    def full_name(self):
        return ' '.join((self.program,) + self.words)

    def options(self):
        return [option for _, options in self.groups for option in options]

    def all(self):
        """This command and those below it, in the order of the help."""
        yield self
        for command in self.commands:
            yield from command.all()


class UnknownForm(Exception):
    pass


def help_of(file, words=()):
    # The pages must not depend on who makes them.
    environment = {'PATH': os.environ['PATH'], 'HOME': '/nonexistent', 'LC_ALL': 'C.UTF-8'}
    if 'LD_LIBRARY_PATH' in os.environ:
        environment['LD_LIBRARY_PATH'] = os.environ['LD_LIBRARY_PATH']
    done = subprocess.run([file, *words, '--help'], capture_output=True, env=environment)
    if done.returncode != 0:
        raise UnknownForm(f'{file} {" ".join(words)} --help: exit status {done.returncode}: {done.stderr.decode()}')
    return done.stdout.decode()


def read_value(option, written):
    """What follows the names: TEXT:{a,b}=a, UINT:INT in [0 - 8]=0 ..., FILE REQUIRED."""
    written, *related = re.split(r' (Excludes|Needs):', ' ' + written)
    for relation, others in zip(related[::2], related[1::2]):
        setattr(option, relation.lower(), ', '.join(others.split()))
    written = written.strip()
    if written.endswith('REQUIRED'):
        option.required, written = True, written.removesuffix('REQUIRED').strip()
    if written.endswith('...'):
        option.several, written = True, written.removesuffix('...').strip()
    # A default is in small letters or digits; "ID=FILE" is how a value is written.
    default = re.search(r'=([^A-Z\[\]]*|\[.*\])$', written)
    if default:
        option.default, written = default[1].strip('[]'), written[:default.start()]
    choices = re.search(r':?\{(.*)\}$', written)
    if choices:
        option.choices, written = choices[1].split(','), written[:choices.start()]
    span = re.search(r':\w+ in \[(.*) - (.*)\]$', written)
    if span:
        option.span, written = f'{span[1]} to {span[2]}', written[:span.start()]
    option.value_optional = re.fullmatch(r'\[\w+\]', written) is not None
    option.value = written


def cli11_items(lines):
    """Pairs (what is described, its text) of a section: texts begin in column 30, which CLI11 counts in bytes; what is
    longer has its text on the next line."""
    found = []
    for line in map(str.encode, lines):
        if line.startswith(b' ' * 30) and found and not found[-1][1]:
            found[-1] = (found[-1][0], line.decode().strip())
        elif re.match(rb'  \S', line):
            found.append((line, ''))
        else:
            raise UnknownForm(f'expected an option, a positional or a command: "{line.decode()}"')
    split = [(head.decode().strip(), text) if text else (head[:30].decode().strip(), head[30:].decode())
             for head, text in found]
    for head, text in split:
        if not text:
            raise UnknownForm(f'"{head}" has no description')
    return split


def cli11_sections(text):
    """Lines before the first section, sections by heading, lines after the last."""
    lines = text.rstrip('\n').split('\n')
    before, sections, after = [], [], []
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ''
        if after:
            after.append(line)
        elif re.fullmatch(r'\w[\w ]*:', line) and following.startswith('  '):
            sections.append((line[:-1], []))
        elif not sections:
            before.append(line)
        elif line.startswith('  '):
            sections[-1][1].append(line)
        elif line:
            after.append(line)
    return [line for line in before if line], sections, after


def read_commands(file, program, words=()):
    """A command of a program made with CLI11, and those below it."""
    before, sections, after = cli11_sections(help_of(file, words))
    usage = before.pop()
    if not usage.startswith('Usage: ') or not before:
        raise UnknownForm(f'{program} {" ".join(words)}: expected a description and a usage')
    command = Command(program, words, before, usage.removeprefix('Usage: '), footer=after)
    for heading, lines in sections:
        if heading == 'Subcommands':
            # "analyze, analyse": a name and its aliases; pages and completion have the name.
            command.commands = [read_commands(file, program, words + (names.split(',')[0],))
                                for names, _ in cli11_items(lines)]
        elif heading == 'Positionals':
            for head, text in cli11_items(lines):
                parts = re.fullmatch(r'([\w.]+)(?:\(\d+x\))?(?:=\S*)?( \.\.\.)?( REQUIRED)?', head)
                if not parts:
                    raise UnknownForm(f'{program} {" ".join(words)}: positional "{head}"')
                command.positionals.append(Positional(parts[1], text, bool(parts[2]), bool(parts[3])))
        else:
            options = []
            for head, text in cli11_items(lines):
                names, _, written = head.partition(' ')
                option = Option(names.split(','), text)
                if not all(re.fullmatch(r'-\w|--[\w-]+', name) for name in option.names):
                    raise UnknownForm(f'{program} {" ".join(words)}: option "{head}"')
                read_value(option, written)
                options.append(option)
            command.groups.append((heading, options))
    return command


def read_window(file, program):
    """A program made with QCommandLineParser: no commands, one section of options and one of arguments."""
    text = help_of(file)
    head, _, rest = text.partition('\n\n')
    options, _, arguments = rest.partition('\n\n')
    usage, *about = head.split('\n')
    if not usage.startswith('Usage: ') or not options.startswith('Options:\n') or not arguments.startswith('Arguments:\n'):
        raise UnknownForm(f'{program}: expected usage, options and arguments')

    def described(section):
        lines = section.rstrip('\n').split('\n')[1:]
        column = re.match(r'  \S.*?  +', lines[0]).end()
        found = []
        for line in lines:
            if line[:column].strip():
                found.append([line[:column].strip(), line[column:]])
            else:
                found[-1][1] += ' ' + line[column:]
        return found

    command = Command(program, (), about, usage.removeprefix('Usage: ').replace('[options]', '[OPTIONS]'))
    read = []
    for written, text in described(options):
        parts = re.fullmatch(r'((?:-\w, )?--[\w-]+)(?: <(.*)>)?', written)
        if not parts:
            raise UnknownForm(f'{program}: option "{written}"')
        option = Option(parts[1].split(', '), text, parts[2] or '')
        if '|' in option.value:
            option.choices, option.value = option.value.split('|'), ''
        read.append(option)
    command.groups.append(('Options', read))
    command.positionals = [Positional(name, text, several=f'[{name}…]' in usage) for name, text in described(arguments)]
    return command
