"""What may be completed where a value or a positional is expected, from the names that the help gives them."""

FILES = {'FILE', 'PATH', 'BLOCK', 'SOURCE', 'RUN', 'RECIPE', 'TX'}
FOLDERS = {'DIR'}


def named(name):
    """By the name of a value: "FILE|FOLDER" and "ID=FILE" have a file, "DIR" a folder."""
    if name in FOLDERS:
        return '<folder>'
    if name in FILES or name.startswith('FILE|'):
        return '<file>'
    return '<any>'


def value_of(option):
    """What an option takes: its choices with | between them, <file>, <folder> or <any>."""
    return '|'.join(option.choices) if option.choices else named(option.value)


def words_of(command):
    """What the positionals of a command take, all of them together."""
    taken = []
    for positional in command.positionals:
        if positional.name in ('SOURCE', 'PATH'):
            taken.append('demo')
        taken.append(named(positional.name))
    return '|'.join(dict.fromkeys(taken))
